import { Cancelled } from '@vmcp/domain'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import type * as Scope from 'effect/Scope'

import { monotonicMs } from '../monotonic.js'
import { LruMap } from './lru-map.js'
import type { View } from './view.js'

/** How a view cache is made. */
export interface ViewCacheOptions {
  /** Milliseconds; 0 keeps nothing, but concurrent builds are still shared. */
  readonly ttlMs: number
  readonly capacity: number
  /** Where builds run: they outlive the caller who starts them, and end with this scope. */
  readonly scope: Scope.Scope
}

/** One view that somebody wants. */
export interface ViewRequest<Failure> {
  readonly key: string
  readonly backendIds: readonly string[]
  readonly build: Effect.Effect<View, Failure>
}

/** Views by key. Failures are not kept. */
export interface ViewCache<Failure> {
  /**
   * The kept view, or a new one. Concurrent requests share one build: a caller who is interrupted leaves it to the others,
   * and the last one to leave ends it. `Cancelled` when the scope of the builds ends first.
   */
  readonly get: (request: ViewRequest<Failure>) => Effect.Effect<View, Failure | Cancelled>
  /** Forgets the views that the backend took part in, or all. Builds that run are not kept and not shared any more. */
  readonly purge: (backendId?: string) => void
}

/** An empty cache. */
export function createViewCache<Failure>(options: ViewCacheOptions): ViewCache<Failure> {
  const entries = new LruMap<string, Entry>(options.capacity)
  const flights = new Map<string, Flight<Failure>>()

  const land = (flight: Flight<Failure>): void => {
    if (flights.get(flight.key) === flight) flights.delete(flight.key)
  }
  const keep = (flight: Flight<Failure>, view: View, now: number): void => {
    const isCurrent = flights.get(flight.key) === flight
    if (!isCurrent || options.ttlMs <= 0) return
    for (const [key, { expiresAt }] of entries.entries()) if (expiresAt <= now) entries.delete(key)
    entries.set(flight.key, { view, expiresAt: now + options.ttlMs, backendIds: flight.backendIds })
  }
  const start = (request: ViewRequest<Failure>): Effect.Effect<Flight<Failure>> =>
    Effect.gen(function* () {
      const flight: Flight<Failure> = { key: request.key, backendIds: request.backendIds, waiting: 0, fiber: undefined }
      flights.set(request.key, flight)
      const build = request.build.pipe(
        Effect.tap((view) => Effect.clockWith((clock) => Effect.sync(() => keep(flight, view, monotonicMs(clock))))),
        Effect.ensuring(Effect.sync(() => land(flight))),
      )
      flight.fiber = yield* Effect.forkIn(build, options.scope)
      return flight
    })
  const leave = (flight: Flight<Failure>): Effect.Effect<void> => {
    flight.waiting--
    if (flight.waiting > 0 || flight.fiber === undefined) return Effect.void
    land(flight)
    return Fiber.interrupt(flight.fiber)
  }
  const wait = (request: ViewRequest<Failure>): Effect.Effect<View, Failure | Cancelled> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const flight = flights.get(request.key) ?? (yield* start(request))
        if (flight.fiber === undefined) return yield* Effect.fail(new Cancelled())
        flight.waiting++
        const exit = yield* Effect.onInterrupt(restore(Fiber.await(flight.fiber)), () => leave(flight))
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.fail(new Cancelled())
        return yield* exit
      }),
    )

  return {
    get: (request) =>
      Effect.clockWith((clock) => {
        const entry = entries.get(request.key)
        if (entry !== undefined && monotonicMs(clock) < entry.expiresAt) return Effect.succeed(entry.view)
        return wait(request)
      }),
    purge: (backendId) => {
      for (const [key, { backendIds }] of [...entries.entries()]) {
        if (backendId === undefined || backendIds.includes(backendId)) entries.delete(key)
      }
      for (const [key, { backendIds }] of [...flights]) {
        if (backendId === undefined || backendIds.includes(backendId)) flights.delete(key)
      }
    },
  }
}

interface Entry {
  readonly view: View
  readonly expiresAt: number
  readonly backendIds: readonly string[]
}

interface Flight<Failure> {
  readonly key: string
  readonly backendIds: readonly string[]
  waiting: number
  fiber: Fiber.Fiber<View, Failure> | undefined
}
