import type { Backend, BackendStatus, BackendUnavailable, InvalidConfig, Logger } from '@vmcp/domain'
import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'

import type { Backends } from '../backends/backends.js'
import type { HealthConfig } from '../core-config.js'
import type { Circuit } from './circuit.js'
import { watchBackends } from './watch-backends.js'

/** What `Health` is made from. */
export interface HealthOptions {
  /** Absent means that no backend is watched: all are served, and no circuit breaker stands before them. */
  readonly health?: HealthConfig
  readonly logger: Logger
}

/** Facts about a backend that others find out. */
export type LearnedFacts = Pick<BackendStatus, 'protocolVersion' | 'offers'>

/** Told when a backend begins or ceases to be served. It must not throw. */
export type HealthListener = (change: { readonly backendId: string; readonly serves: boolean }) => void

/** What the health room does. */
export interface HealthShape {
  /**
   * The backends that are served, in their order: those that are healthy or degraded, those whose first probe has not
   * ended, and all when nothing is watched. An open circuit takes none away: what is listed stays listed, and calls of it
   * fail at once. The same list until it changes.
   */
  readonly served: () => readonly Backend[]
  /** Every backend, by id. */
  readonly statuses: () => readonly BackendStatus[]
  /**
   * Runs `call` behind the backend's circuit breaker: an open circuit fails with `BackendUnavailable` at once; when its
   * time is over, a single call or probe tries. Deadlines belong inside `call`, so that `BackendTimeout` is seen.
   * `evidenceOf` says which failures count.
   */
  readonly guard: <A, E, R>(
    backendId: string,
    call: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | BackendUnavailable, R>
  /** The circuit breaker before the backend, for a call that is made in no fibre; `undefined` when none stands there. */
  readonly circuit: (backendId: string) => Circuit | undefined
  /** Adds facts to the backend's status; a fact that is absent stays as it was. */
  readonly learned: (backendId: string, facts: LearnedFacts) => void
  /**
   * Tells `listener` whenever a backend begins or ceases to be served, and when a circuit closes again (a view built meanwhile may lack the
   * backend), until the returned function is called.
   */
  readonly onChange: (listener: HealthListener) => () => void
  /** Ends when every backend has been probed once; at once when nothing is watched. */
  readonly firstRound: Effect.Effect<void>
}

/** How the backends do, and the circuit breakers before them. Its probes end with the layer's scope. */
export class Health extends Context.Service<Health, HealthShape>()('@vmcp/core/Health') {
  /** Watches every backend of `Backends`; the first probes start at once. Fails with every problem of the settings. */
  static layer(options: HealthOptions): Layer.Layer<Health, InvalidConfig, Backends> {
    return Layer.effect(Health, watchBackends(options))
  }
}
