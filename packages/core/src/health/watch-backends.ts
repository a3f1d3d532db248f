import { InvalidConfig } from '@vmcp/domain'
import type { Backend } from '@vmcp/domain'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'
import type * as Scope from 'effect/Scope'

import { Backends } from '../backends/backends.js'
import { backendWatch } from './backend-watch.js'
import type { BackendWatch } from './backend-watch.js'
import type { HealthListener, HealthOptions, HealthShape } from './health.js'
import { healthReport } from './health-report.js'
import { healthProblems, healthSettings } from './health-settings.js'

/**
 * Watches every backend until the scope ends. Each has a fibre of its own, so that a slow one delays no other. How they do
 * as a whole is logged when it changes, from the end of the first round on.
 */
export const watchBackends = Effect.fnUntraced(function* (
  options: HealthOptions,
): Effect.fn.Return<HealthShape, InvalidConfig, Backends | Scope.Scope> {
  const { health, logger } = options
  const problems = health === undefined ? [] : healthProblems(health)
  if (problems.length > 0) return yield* Effect.fail(new InvalidConfig(problems))

  const settings = health === undefined ? undefined : healthSettings(health)
  const listeners = new Set<HealthListener>()
  const watches = new Map<string, BackendWatch>()
  const { all } = yield* Backends
  let servedNow: readonly Backend[] | undefined
  for (const backend of all) {
    const { id } = backend
    const changed = (): void => {
      servedNow = undefined
      const change = { backendId: id, serves: watches.get(id)?.serves() ?? false }
      for (const listener of [...listeners]) listener(change)
    }
    watches.set(id, backendWatch(backend, { settings, logger, changed }))
  }

  const statuses = () => [...watches.values()].map((watch) => watch.status())
  const firstProbes = settings === undefined ? [] : yield* Effect.forEach(watches.values(), keepChecking(settings))
  const firstRound = Effect.forEach(firstProbes, Deferred.await, { discard: true })
  if (settings !== undefined) {
    const report = healthReport(logger)
    const reporting = Effect.repeat(
      Effect.sync(() => report(statuses())),
      Schedule.fixed(settings.checkIntervalMs),
    )
    yield* Effect.forkScoped(Effect.andThen(firstRound, reporting))
  }
  return {
    served: () => (servedNow ??= all.filter(({ id }) => watches.get(id)?.serves() === true)),
    statuses,
    guard: (backendId, call) => watches.get(backendId)?.guard(call) ?? call,
    circuit: (backendId) => watches.get(backendId)?.circuit,
    learned: (backendId, facts) => watches.get(backendId)?.learned(facts),
    onChange(listener) {
      const own: HealthListener = (change) => listener(change)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    firstRound,
  }
})

/** Checks now and at every interval, and answers with what is done when the first check has ended. */
const keepChecking = (settings: { readonly checkIntervalMs: number }) =>
  Effect.fnUntraced(function* (watch: BackendWatch) {
    const first = yield* Deferred.make<void>()
    const checking = Effect.ensuring(watch.check, Deferred.succeed(first, undefined))
    yield* Effect.forkScoped(Effect.repeat(checking, Schedule.fixed(settings.checkIntervalMs)))
    return first
  })
