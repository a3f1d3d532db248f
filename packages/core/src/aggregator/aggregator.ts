import type { CallOptions, Cancelled, CapabilityConflict, Identity } from '@vmcp/domain'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'

import { Backends } from '../backends/backends.js'
import { Health } from '../health/health.js'
import type { AggregatorOptions } from './aggregator-options.js'
import { createViewBuilder } from './build-view.js'
import { askWithPatience } from './first-answers.js'
import type { BackendError } from './offer.js'
import { createViewCache } from './view-cache.js'
import { rememberedViewKey } from './view-key.js'
import type { View } from './view.js'

export type { AggregatorOptions } from './aggregator-options.js'

/** Why there is no view. */
export type ViewError = BackendError | CapabilityConflict | Cancelled

/** What the aggregator does. */
export interface AggregatorShape {
  /**
   * What the backends offer to this caller, merged. Kept for a while and shared by those who ask at the same time: of the
   * options of one caller, only what belongs to the key of the view is looked at. A caller leaves by being interrupted.
   */
  readonly view: (
    identity: Identity | null,
    options?: Pick<CallOptions, 'forwardedHeaders'>,
  ) => Effect.Effect<View, ViewError>
  /** Drops the views that a backend took part in, or all; builds that began before are not kept. */
  readonly purge: (backendId?: string) => void
  /** Tells `listener` of a backend that views were built without, and that has answered since. It must not throw. */
  readonly onJoined: (listener: (backendId: string) => void) => () => void
}

const defaultTtlMs = 30_000
const defaultCapacity = 1024

/** One view of many backends for each caller. Its builds end with the layer's scope. */
export class Aggregator extends Context.Service<Aggregator, AggregatorShape>()('@vmcp/core/Aggregator') {
  static layer(options: AggregatorOptions): Layer.Layer<Aggregator, never, Backends | Health> {
    return Layer.effect(Aggregator, createAggregator(options))
  }
}

const createAggregator = Effect.fnUntraced(function* (options: AggregatorOptions) {
  const backends = yield* Backends
  const health = yield* Health
  const aggregation = options.aggregation ?? {}
  const scope = yield* Effect.scope
  const listeners = new Set<(backendId: string) => void>()
  const cache = createViewCache<BackendError | CapabilityConflict>({
    ttlMs: aggregation.cacheTtlMs ?? defaultTtlMs,
    capacity: aggregation.cacheSize ?? defaultCapacity,
    scope,
  })
  const viewKeyOf = rememberedViewKey()
  const askAll = askWithPatience({
    firstAnswerMs: options.partialFailureMode === 'fail' ? undefined : options.firstAnswerMs,
    scope,
    joined: ({ backend, viewKey }) => {
      cache.forget(viewKey)
      for (const listener of listeners) listener(backend.id)
    },
  })
  const buildView = createViewBuilder(options, { backends, health, askAll })
  const shape: AggregatorShape = {
    view: (identity, callOptions) =>
      Effect.clockWith((clock) => {
        const forwardedHeaders = callOptions?.forwardedHeaders
        const served = health.served()
        const key = viewKeyOf(identity, forwardedHeaders, served)
        const kept = cache.kept(key, clock)
        if (kept !== undefined) return Effect.succeed(kept)
        const build = buildView({ key, identity, forwardedHeaders, served })
        return cache.get({ key, backendIds: served.map((backend) => backend.id), build })
      }),
    purge: cache.purge,
    onJoined: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return shape
})
