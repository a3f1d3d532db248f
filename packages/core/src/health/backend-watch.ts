import type { Backend, BackendStatus, BackendUnavailable, Logger } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'

import { afterProbe, isServed, unprobed, unwatched } from './backend-record.js'
import type { BackendRecord } from './backend-record.js'
import { circuit } from './circuit.js'
import type { Circuit } from './circuit.js'
import { evidenceOfExit } from './evidence.js'
import type { Evidence } from './evidence.js'
import type { LearnedFacts } from './health.js'
import type { HealthSettings } from './health-settings.js'
import { probe } from './probe.js'
import type { ProbeResult } from './probe.js'

/** One backend, what is known of it and the circuit before it. */
export interface BackendWatch {
  readonly serves: () => boolean
  readonly status: () => BackendStatus
  readonly guard: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E | BackendUnavailable, R>
  /** Absent when no circuit breaker stands before it. */
  readonly circuit: Circuit | undefined
  readonly learned: (facts: LearnedFacts) => void
  /** Probes once, unless the circuit is open. */
  readonly check: Effect.Effect<void>
}

/** What a watch is made from. */
export interface BackendWatchOptions {
  /** Absent when the backend is not watched. */
  readonly settings: HealthSettings | undefined
  readonly logger: Logger
  /** Called when the backend begins or ceases to be served, and when its circuit closes again. */
  readonly changed: () => void
}

/** Watches one backend. It probes only when `check` runs. */
export function backendWatch(backend: Backend, options: BackendWatchOptions): BackendWatch {
  const { settings, logger, changed } = options
  const limits = settings?.circuit
  const breaker = limits === undefined ? undefined : circuit(backend.id, { limits, logger, closed: changed })
  let record = settings === undefined ? unwatched : unprobed
  let facts: LearnedFacts = {}

  const note = (result: ProbeResult, threshold: number): void => {
    const before = record
    record = afterProbe(before, result, threshold)
    if (result.outcome === 'success') facts = { ...facts, ...result.facts }
    if (record.health !== before.health) reportChange(logger, backend.id, before, record)
    if (isServed(record) !== isServed(before)) changed()
  }

  const check = (watched: HealthSettings): Effect.Effect<void> => {
    const probed = Effect.map(probe(backend, watched), (result) => {
      note(result, watched.unhealthyThreshold)
      return result
    })
    return breaker === undefined ? Effect.asVoid(probed) : Effect.ignore(breaker.run(probed, evidenceOfProbe))
  }

  return {
    serves: () => isServed(record),
    status: () => statusOf(backend, record, { ...facts, ...(breaker && { circuit: breaker.state() }) }),
    guard: (call) => (breaker === undefined ? call : breaker.run(call, evidenceOfExit)),
    circuit: breaker,
    learned: (more) => void (facts = { ...facts, ...more }),
    check: settings === undefined ? Effect.void : check(settings),
  }
}

/** Any failure of a probe counts, except a refusal of credentials, which is an answer to nobody in particular. */
function evidenceOfProbe(exit: Exit.Exit<ProbeResult, unknown>): Evidence {
  if (!Exit.isSuccess(exit)) return 'none'
  if (exit.value.outcome === 'success') return 'answers'
  return exit.value.health === 'unhealthy' ? 'down' : 'none'
}

function reportChange(logger: Logger, backend: string, before: BackendRecord, after: BackendRecord): void {
  const fields = { backend, from: before.health, to: after.health, failure: after.lastFailure }
  if (after.lastFailure === undefined) logger.info('backend health changed', fields)
  else logger.warn('backend health changed', fields)
}

function statusOf(
  backend: Backend,
  { health, consecutiveFailures, lastFailure }: BackendRecord,
  facts: LearnedFacts & Pick<BackendStatus, 'circuit'>,
): BackendStatus {
  return {
    id: backend.id,
    name: backend.name ?? backend.id,
    ...(backend.transport !== undefined && { transport: backend.transport }),
    ...(backend.authentication !== undefined && { authentication: backend.authentication }),
    health,
    consecutiveFailures,
    ...(lastFailure !== undefined && { lastFailure }),
    ...facts,
  }
}
