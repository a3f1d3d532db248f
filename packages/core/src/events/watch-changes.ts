import type { BackendEvent } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import type * as Scope from 'effect/Scope'
import * as Semaphore from 'effect/Semaphore'

import { Aggregator } from '../aggregator/aggregator.js'
import { Backends } from '../backends/backends.js'
import { Health } from '../health/health.js'
import { Settings } from '../settings.js'
import type { EventsShape, WatchedRooms } from './events.js'
import { listDigests } from './list-digests.js'
import { quietPeriod } from './quiet-period.js'
import { stoppable } from './stoppable.js'
import { makeSubscriber } from './subscriber.js'
import type { Subscriber } from './subscriber.js'
import { tellRoots } from './tell-roots.js'
import { tellUpdate } from './tell-update.js'
import { watchResources } from './watch-resources.js'

/**
 * Watches backends and their health on behalf of subscribers. A notification of a backend purges its part of the views
 * once it has been quiet for a moment; then every subscriber's lists are made anew and compared with what they were.
 */
export const watchChanges: Effect.Effect<EventsShape, never, WatchedRooms | Scope.Scope> = Effect.gen(function* () {
  const rooms = yield* Effect.context<WatchedRooms>()
  const scope = yield* Effect.scope
  const aggregator = yield* Aggregator
  const backends = yield* Backends
  const health = yield* Health
  const { logger } = yield* Settings
  const lane = Semaphore.makeUnsafe(1)
  const subscribers = new Set<Subscriber>()
  const start = Effect.runForkWith(rooms)
  const inBackground = (effect: Effect.Effect<void, never, WatchedRooms>): void => {
    Fiber.runIn(start(effect), scope)
  }

  /** True when one of the subscriber's lists is not what it was. A view that cannot be had changes nothing. */
  const refresh = (subscriber: Subscriber): Effect.Effect<boolean, never, WatchedRooms> =>
    Effect.matchCause(listDigests(subscriber.identity, subscriber.options), {
      onSuccess: (digests) => subscriber.compare(digests),
      onFailure: () => subscriber.compare(undefined),
    }).pipe(Effect.tap(() => Effect.ignore(watchResources(subscriber))))
  const letGo = (subscriber: Subscriber): void => {
    subscribers.delete(subscriber)
    for (const { stop } of subscriber.watches.values()) stop()
    subscriber.watches.clear()
  }
  const refreshAll = lane.withPermit(
    Effect.suspend(() => Effect.forEach([...subscribers], refresh, { concurrency: 4 })),
  )

  const settled = new Map(
    backends.all.map(({ id }) => [
      id,
      quietPeriod(
        Effect.suspend(() => {
          aggregator.purge(id)
          if (subscribers.size === 0) return Effect.succeed(true)
          return Effect.map(refreshAll, (changed) => changed.includes(true))
        }),
      ),
    ]),
  )
  const changed = (backendId: string): void => {
    const wait = settled.get(backendId)?.notice()
    if (wait !== undefined) inBackground(wait)
  }
  const heard = (backendId: string, event: BackendEvent): void => {
    if (event.type === 'list-changed') return changed(backendId)
    for (const subscriber of subscribers) {
      if (subscriber.options.resources === undefined) continue
      inBackground(Effect.ignore(tellUpdate(subscriber, { backendId, name: event.uri })))
    }
  }

  yield* Effect.acquireRelease(
    Effect.sync(() => [
      health.onChange(({ backendId }) => changed(backendId)),
      aggregator.onJoined(changed),
      ...backends.all.map(({ id, client }) =>
        stoppable({ backendId: id, logger, start: () => client.subscribe?.((event) => heard(id, event)) }),
      ),
    ]),
    (stops) =>
      Effect.sync(() => {
        subscribers.forEach(letGo)
        for (const stop of stops) stop()
      }),
  )
  return {
    subscribe: (identity, listener, options = {}) => {
      const subscriber = makeSubscriber({
        identity,
        listener,
        options,
        logger,
        isListening: () => subscribers.has(subscriber),
      })
      subscribers.add(subscriber)
      inBackground(Effect.asVoid(lane.withPermit(refresh(subscriber))))
      return () => letGo(subscriber)
    },
    rootsChanged: tellRoots(backends, logger),
  }
})
