import { BackendUnavailable } from '@vmcp/domain'
import type { Logger } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import type * as Exit from 'effect/Exit'

import { monotonicMs } from '../monotonic.js'
import { circuitBreaker } from './circuit-breaker.js'
import type { Attempt, CircuitLimits, CircuitState } from './circuit-breaker.js'
import type { Evidence } from './evidence.js'

/** The circuit breaker before one backend, that says when it opens and closes. Calls and probes share it. */
export interface Circuit {
  readonly state: () => CircuitState
  /** The permission for an attempt, at this time of the monotonic clock, or `undefined` when none may be made. */
  readonly admit: (now: number) => Attempt | undefined
  /** What the attempt showed. */
  readonly settle: (attempt: Attempt, evidence: Evidence, now: number) => void
  /** Runs `call` when the circuit lets it, else fails with `circuit-open` at once. `judge` says what its end shows. */
  readonly run: <A, E, R>(
    call: Effect.Effect<A, E, R>,
    judge: (exit: Exit.Exit<A, E | BackendUnavailable>) => Evidence,
  ) => Effect.Effect<A, E | BackendUnavailable, R>
}

/** What a circuit is made from. */
export interface CircuitOptions {
  readonly limits: CircuitLimits
  readonly logger: Logger
  /** Called when it closes again. */
  readonly closed: () => void
}

/** Makes a closed circuit before one backend. */
export function circuit(backendId: string, options: CircuitOptions): Circuit {
  const { limits, logger, closed } = options
  const breaker = circuitBreaker(limits)
  const refused = Effect.suspend(() => Effect.fail(new BackendUnavailable(backendId, 'circuit-open')))

  const settle = (attempt: Attempt, evidence: Evidence, at: number): void => {
    const before = breaker.state()
    if (evidence === 'answers') breaker.succeed(attempt)
    else if (evidence === 'down') breaker.fail(attempt, at)
    else breaker.forget(attempt)
    const after = breaker.state()
    if (before === 'closed' && after === 'open') logger.warn('circuit breaker opened', { backend: backendId })
    if (before === 'closed' || after !== 'closed') return
    logger.info('circuit breaker closed', { backend: backendId })
    closed()
  }

  return {
    state: breaker.state,
    admit: breaker.admit,
    settle,
    run: <A, E, R>(call: Effect.Effect<A, E, R>, judge: (exit: Exit.Exit<A, E | BackendUnavailable>) => Evidence) =>
      Effect.acquireUseRelease(
        Effect.map(milliseconds, breaker.admit),
        (attempt): Effect.Effect<A, E | BackendUnavailable, R> => (attempt === undefined ? refused : call),
        (attempt, exit) =>
          attempt === undefined ? Effect.void : Effect.map(milliseconds, (at) => settle(attempt, judge(exit), at)),
      ),
  }
}

const milliseconds = Effect.clockWith((clock) => Effect.succeed(monotonicMs(clock)))
