import { describe, expect, it } from 'vitest'

import { circuitBreaker } from './circuit-breaker.js'
import type { CircuitBreaker } from './circuit-breaker.js'

const limits = { failureThreshold: 3, timeoutMs: 100 }

describe('circuitBreaker', () => {
  it('SRV-B087 opens at the threshold, and lets a single attempt through when its time is over', () => {
    const breaker = opened()
    expect(breaker.admit(99)).toBeUndefined()
    expect(breaker.admit(150)).toBeDefined()
    expect(breaker.state()).toBe('half-open')
    expect(breaker.admit(151)).toBeUndefined()
  })

  it('SRV-B088 closes when the trial succeeds, and counts from nought', () => {
    const breaker = opened()
    breaker.succeed(admitted(breaker, 150))
    expect(breaker.state()).toBe('closed')
    breaker.fail(admitted(breaker, 150), 150)
    breaker.fail(admitted(breaker, 150), 150)
    expect(breaker.state()).toBe('closed')
  })

  it('SRV-B088 opens again when the trial fails, for the whole time', () => {
    const breaker = opened()
    breaker.fail(admitted(breaker, 150), 150)
    expect(breaker.state()).toBe('open')
    expect(breaker.admit(249)).toBeUndefined()
    expect(breaker.admit(250)).toBeDefined()
  })

  it('counts failures in a row only', () => {
    const breaker = circuitBreaker(limits)
    for (let turn = 0; turn < 10; turn++) {
      breaker.fail(admitted(breaker, 0), 0)
      breaker.fail(admitted(breaker, 0), 0)
      breaker.succeed(admitted(breaker, 0))
    }
    expect(breaker.state()).toBe('closed')
  })

  it('ignores attempts of an earlier period', () => {
    const breaker = circuitBreaker(limits)
    const late = admitted(breaker, 0)
    for (let turn = 0; turn < 3; turn++) breaker.fail(admitted(breaker, 0), 0)
    breaker.succeed(late)
    expect(breaker.state()).toBe('open')
    admitted(breaker, 150)
    breaker.succeed(late)
    expect(breaker.state()).toBe('half-open')
    breaker.fail(late, 150)
    expect(breaker.state()).toBe('half-open')
  })

  it('makes room for another trial when one is forgotten or does not end', () => {
    const breaker = opened()
    breaker.forget(admitted(breaker, 150))
    const stuck = admitted(breaker, 150)
    expect(breaker.admit(249)).toBeUndefined()
    breaker.succeed(admitted(breaker, 250))
    breaker.fail(stuck, 251)
    expect(breaker.state()).toBe('closed')
  })
})

function opened(): CircuitBreaker {
  const breaker = circuitBreaker(limits)
  for (let turn = 0; turn < 3; turn++) breaker.fail(admitted(breaker, 0), 0)
  return breaker
}

function admitted(breaker: CircuitBreaker, now: number): symbol {
  const attempt = breaker.admit(now)
  if (attempt === undefined) throw new Error('refused')
  return attempt
}
