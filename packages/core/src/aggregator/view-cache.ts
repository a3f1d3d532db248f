import { Cancelled } from '@vmcp/domain'
import * as Cause from 'effect/Cause'
import type * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import type * as Scope from 'effect/Scope'

import { monotonicMs } from '../monotonic.js'
import { LruMap } from './lru-map.js'
import type { View } from './view.js'

/** How a view cache is made. */
export interface ViewCacheOptions {
  /** Milliseconds, or five seconds for a view that lacks a backend; 0 keeps nothing, but concurrent builds are still shared. */
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
  /** The kept view, if there is one that is not too old. */
  readonly kept: (key: string, clock: Clock.Clock) => View | undefined
  /**
   * The kept view, or a new one. Concurrent requests share one build: a caller who is interrupted leaves it to the others,
   * and the last one to leave ends it. `Cancelled` when the scope of the builds ends first.
   * A view that has just become too old stands in for a new one that takes long, so that one backend that hangs does not
   * hold up the callers of the others.
   */
  readonly get: (request: ViewRequest<Failure>) => Effect.Effect<View, Failure | Cancelled>
  /** Forgets one view, and does not keep the one that is being built. */
  readonly forget: (key: string) => void
  /** Forgets the views that the backend took part in, or all. Builds that run are not kept and not shared any more. */
  readonly purge: (backendId?: string) => void
}

/** An empty cache. */
export function createViewCache<Failure>(options: ViewCacheOptions): ViewCache<Failure> {
  const entries = new LruMap<string, Entry>(options.capacity)
  const flights = new Map<string, Flight<Failure>>()

  const keptView = (key: string, clock: Clock.Clock): View | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && monotonicMs(clock) < entry.expiresAt ? entry.view : undefined
  }
  const land = (flight: Flight<Failure>): void => {
    if (flights.get(flight.key) === flight) flights.delete(flight.key)
  }
  const keep = (flight: Flight<Failure>, view: View, now: number): void => {
    const isCurrent = flights.get(flight.key) === flight
    if (!isCurrent || options.ttlMs <= 0) return
    const grace = entries.size < options.capacity ? options.ttlMs : 0
    for (const [key, { expiresAt }] of entries.entries()) if (expiresAt + grace <= now) entries.delete(key)
    const ttlMs = lacksBackend(view) ? Math.min(options.ttlMs, partialTtlMs) : options.ttlMs
    entries.set(flight.key, { view, expiresAt: now + ttlMs, backendIds: flight.backendIds })
  }
  const drop = (flight: Flight<Failure>): void => {
    if (flights.get(flight.key) === flight) entries.delete(flight.key)
  }
  /** Kept views and running builds are looked up and entered in one step, between which no other caller gets its turn. */
  const board = ({ key, backendIds }: ViewRequest<Failure>, startedAt: number): Boarding<Failure> => {
    const known = flights.get(key)
    // A build that has a view to replace goes on for later callers.
    const waiting = entries.get(key) === undefined ? 0 : 1
    const flight = known ?? { key, backendIds, startedAt, waiting, fiber: undefined }
    flights.set(key, flight)
    flight.waiting++
    return { flight, isFirst: known === undefined }
  }
  const start = (flight: Flight<Failure>, build: ViewRequest<Failure>['build']) =>
    build.pipe(
      Effect.tap((view) => Effect.clockWith((clock) => Effect.sync(() => keep(flight, view, monotonicMs(clock))))),
      Effect.tapError(() => Effect.sync(() => drop(flight))),
      Effect.ensuring(Effect.sync(() => land(flight))),
      Effect.forkIn(options.scope),
    )
  const leave = (flight: Flight<Failure>): Effect.Effect<void> => {
    flight.waiting--
    if (flight.waiting > 0 || flight.fiber === undefined) return Effect.void
    land(flight)
    return Fiber.interrupt(flight.fiber)
  }
  const wait = (request: ViewRequest<Failure>, clock: Clock.Clock): Effect.Effect<View, Failure | Cancelled> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const kept = keptView(request.key, clock)
        if (kept !== undefined) return kept
        const { flight, isFirst } = board(request, monotonicMs(clock))
        if (isFirst) flight.fiber = yield* start(flight, request.build)
        while (flight.fiber === undefined) yield* Effect.yieldNow
        const exit = yield* Effect.onInterrupt(restore(Fiber.await(flight.fiber)), () => leave(flight))
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.fail(new Cancelled())
        return yield* exit
      }),
    )

  return {
    kept: keptView,
    get: (request) =>
      Effect.clockWith((clock) => {
        const kept = keptView(request.key, clock)
        if (kept !== undefined) return Effect.succeed(kept)
        const old = entries.get(request.key)?.view
        if (old === undefined) return wait(request, clock)
        const now = monotonicMs(clock)
        const patience = lateMs - (now - (flights.get(request.key)?.startedAt ?? now))
        if (patience <= 0) return Effect.succeed(old)
        return Effect.timeoutOrElse(wait(request, clock), { duration: patience, orElse: () => Effect.succeed(old) })
      }),
    forget: (key) => {
      entries.delete(key)
      flights.delete(key)
    },
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

/** Milliseconds for which a view is kept that lacks a backend: it may have been down for a moment only. */
const partialTtlMs = 5_000

function lacksBackend({ report }: View): boolean {
  return report.findings.some(({ reason }) => reason === 'backend-failed')
}

/** Milliseconds that a new view may take before the old one stands in for it. */
const lateMs = 500

interface Entry {
  readonly view: View
  readonly expiresAt: number
  readonly backendIds: readonly string[]
}

interface Flight<Failure> {
  readonly key: string
  readonly backendIds: readonly string[]
  readonly startedAt: number
  /** The callers who want it, and the cache itself when it has an older view that this one replaces. */
  waiting: number
  fiber: Fiber.Fiber<View, Failure> | undefined
}

interface Boarding<Failure> {
  readonly flight: Flight<Failure>
  /** True for the caller who has to start it. */
  readonly isFirst: boolean
}
