import type { BackendHealth, BackendStatus } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import { backendMessage, healthSummary } from './health-summary.js'

describe('healthSummary', () => {
  it('SRV-B090 is ready when all are healthy', () => {
    expect(healthSummary(backends('healthy', 'healthy'))).toEqual({
      phase: 'Ready',
      reason: 'AllBackendsRoutable',
      message: 'All 2 backends healthy',
      routable: 2,
    })
  })

  it('SRV-B091 is degraded when one is, and does not count it', () => {
    expect(healthSummary(backends('healthy', 'degraded'))).toEqual({
      phase: 'Degraded',
      reason: 'SomeBackendsUnhealthy',
      message: '1/2 backends routable (1 degraded, 0 unhealthy, 0 unknown)',
      routable: 1,
    })
  })

  it('SRV-B092 is ready when all want credentials', () => {
    expect(healthSummary(backends('unauthenticated', 'unauthenticated'))).toMatchObject({
      phase: 'Ready',
      message: 'All 2 backends require authentication',
      routable: 2,
    })
  })

  it('AGG-H09 waits until one of them was probed', () => {
    expect(healthSummary(backends('unknown', 'unknown'))).toEqual({
      phase: 'Pending',
      reason: 'BackendsPending',
      message: 'Waiting for initial health checks (2 backends configured)',
      routable: 0,
    })
    expect(healthSummary([{ ...status('unknown'), consecutiveFailures: 1 }])).toMatchObject({ phase: 'Failed' })
  })

  it.each([
    [[], 'Ready', 'Ready, no backends configured'],
    [['healthy', 'unauthenticated'], 'Ready', '1 backend healthy, 1 requires authentication'],
    [
      ['healthy', 'healthy', 'unauthenticated', 'unauthenticated'],
      'Ready',
      '2 backends healthy, 2 require authentication',
    ],
    [['healthy'], 'Ready', '1 backend healthy'],
    [['unhealthy', 'degraded'], 'Failed', 'No routable backends (1 degraded, 1 unhealthy, 0 unknown)'],
  ] as const)('words %j as %s: %s', (health, phase, message) => {
    expect(healthSummary(backends(...health))).toMatchObject({ phase, message })
  })
})

describe('backendMessage', () => {
  it('names the kind of failure', () => {
    expect(backendMessage({ ...status('unhealthy'), lastFailure: 'connection_failed' })).toBe('Connection failed')
  })

  it('puts the circuit breaker first', () => {
    expect(backendMessage({ ...status('healthy'), circuit: 'open' })).toBe('Circuit breaker OPEN - Healthy')
    expect(backendMessage({ ...status('degraded'), circuit: 'half-open' })).toBe(
      'Circuit breaker testing recovery - Degraded performance',
    )
    expect(backendMessage({ ...status('healthy'), circuit: 'closed' })).toBe('Healthy')
  })
})

function backends(...health: readonly BackendHealth[]): readonly BackendStatus[] {
  return health.map(status)
}

function status(health: BackendHealth): BackendStatus {
  return { id: 'api', name: 'api', health, consecutiveFailures: 0 }
}
