import { InvalidConfig } from '@vmcp/domain'
import type { ConfigProblem } from '@vmcp/domain'
import * as Cause from 'effect/Cause'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Scheduler from 'effect/Scheduler'

import type { CoreConfig } from './core-config.js'
import { checkedRooms, startedRooms } from './rooms.js'
import type { Rooms } from './rooms.js'

/** The rooms of a running core. */
export interface OpenRooms {
  readonly context: Context.Context<Rooms>
  /** Ends probes, runs of workflows and event refreshes. */
  readonly close: Effect.Effect<void>
}

/**
 * Builds every room, at once and in this turn of the event loop. Admission comes first: when its policies are wrong,
 * `InvalidConfig` is thrown and no probe has started.
 */
export function openRooms(config: CoreConfig, surroundings: Context.Context<never>): OpenRooms {
  const layer = startedRooms(config).pipe(
    Layer.provideMerge(checkedRooms(config)),
    Layer.provideMerge(Layer.succeedContext(surroundings)),
  )
  const runtime = ManagedRuntime.make(layer)
  const scheduler = new UnhurriedScheduler()
  const exit = runtime.runFork(Effect.context<Rooms>(), { scheduler }).pollUnsafe()
  scheduler.inOneGo = false
  if (exit !== undefined && Exit.isSuccess(exit)) return { context: exit.value, close: runtime.disposeEffect }
  void runtime.dispose()
  throw exit === undefined ? new Error('a room of the core is not built in one go') : Cause.squash(exit.cause)
}

/** What only the rooms can find wrong, such as policies, to be told with all else that is wrong. Starts nothing. */
export function policyProblems(config: CoreConfig): readonly ConfigProblem[] {
  const exit = Effect.runSyncExit(Effect.scoped(Layer.build(checkedRooms(config))))
  if (Exit.isSuccess(exit)) return []
  const error = Cause.squash(exit.cause)
  return error instanceof InvalidConfig ? error.problems.filter(({ path }) => path !== 'name') : []
}

/** The default scheduler, except that it lets nobody yield while everything is built in one go. */
class UnhurriedScheduler extends Scheduler.MixedScheduler {
  inOneGo = true

  override shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    return !this.inOneGo && super.shouldYield(fiber)
  }
}
