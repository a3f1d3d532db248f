import type { BackendHealth } from '@vmcp/domain'

import type { FailureCategory } from './evidence.js'
import type { ProbeResult } from './probe.js'

/** What the probes of one backend have shown so far. */
export interface BackendRecord {
  readonly health: BackendHealth
  /** False until the first probe has ended. */
  readonly probed: boolean
  readonly consecutiveFailures: number
  readonly lastFailure?: FailureCategory
}

/** A backend of which nothing is known. */
export const unprobed: BackendRecord = { health: 'unknown', probed: false, consecutiveFailures: 0 }

/** A backend that nobody watches. */
export const unwatched: BackendRecord = { health: 'healthy', probed: false, consecutiveFailures: 0 }

/**
 * What is known after one more probe.
 * Failures change the health only when there are `threshold` of them in a row. The first success after a failure shows
 * as degraded, for one round; the next one shows as it is.
 */
export function afterProbe(record: BackendRecord, result: ProbeResult, threshold: number): BackendRecord {
  if (result.outcome === 'success') {
    const recovers = record.consecutiveFailures > 0
    return { health: recovers ? 'degraded' : result.health, probed: true, consecutiveFailures: 0 }
  }
  const consecutiveFailures = record.consecutiveFailures + 1
  const health = consecutiveFailures >= threshold ? result.health : record.health
  return { health, probed: true, consecutiveFailures, lastFailure: result.category }
}

/** True while the backend is served. One that no probe has reached yet is, so that a start need not wait for probes. */
export function isServed(record: BackendRecord): boolean {
  return !record.probed || record.health === 'healthy' || record.health === 'degraded'
}
