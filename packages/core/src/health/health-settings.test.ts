import { describe, expect, it } from 'vitest'

import { healthProblems, healthSettings } from './health-settings.js'

describe('healthSettings', () => {
  it('fills in the defaults, each by itself', () => {
    expect(healthSettings({ unhealthyThreshold: 7, circuitBreaker: {} })).toEqual({
      checkIntervalMs: 30_000,
      checkTimeoutMs: 10_000,
      unhealthyThreshold: 7,
      degradedThresholdMs: 5_000,
      circuit: { failureThreshold: 5, timeoutMs: 60_000 },
    })
  })

  it('takes a probe timeout of 0 for the default, and keeps the default below a short interval', () => {
    expect(healthSettings({ checkTimeoutMs: 0 }).checkTimeoutMs).toBe(10_000)
    expect(healthSettings({ checkIntervalMs: 2_000 }).checkTimeoutMs).toBe(1_000)
  })
})

describe('healthProblems', () => {
  it('finds none in the defaults', () => {
    expect(healthProblems({ circuitBreaker: {} })).toEqual([])
  })

  it('finds each number that cannot be meant', () => {
    const wrong = { checkTimeoutMs: -1, unhealthyThreshold: Number.NaN, degradedThresholdMs: 0 }
    expect(healthProblems(wrong).map((problem) => problem.path)).toEqual([
      'health.checkTimeoutMs',
      'health.unhealthyThreshold',
      'health.degradedThresholdMs',
    ])
  })
})
