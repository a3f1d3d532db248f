import * as Clock from 'effect/Clock'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import type * as Fiber from 'effect/Fiber'

import { Bag } from '../bag.js'
import type { Bagged } from '../bag.js'
import { monotonicMs } from '../monotonic.js'

/** Something with a deadline that may move. */
export interface Awaited extends Bagged {
  /** When it is due, in milliseconds of the clock, if nothing happens until then. */
  due(now: number): number
  /** Called once, when it is. It must not throw. */
  expire(now: number): void
}

/** Keeps the deadlines of one clock. */
export interface DeadlineKeeper {
  /** Keeps a deadline until it expires or is released. */
  keep(awaited: Awaited, now: number): void
  /** Forgets a deadline, if it is kept. */
  release(awaited: Awaited): void
}

const keepers = new WeakMap<Clock.Clock, DeadlineKeeper>()

/** The keeper of a clock. */
export function keeperOf(clock: Clock.Clock): DeadlineKeeper {
  const known = keepers.get(clock)
  if (known !== undefined) return known
  const keeper = createKeeper(clock)
  keepers.set(clock, keeper)
  return keeper
}

/** The longest sleep in milliseconds: for so long, at most, a timer outlives the last deadline. */
const longestSleepMs = 500

/** One sleeping fibre for all deadlines, since nearly all are met: a timer and a fibre for each would cost more than most calls. */
function createKeeper(clock: Clock.Clock): DeadlineKeeper {
  const kept = new Bag<Awaited>()
  const fork = Effect.runForkWith(Context.make(Clock.Clock, clock))
  let sleeper: Fiber.Fiber<void> | undefined
  let wakesAt = Infinity

  const expireDue = (now: number): number => {
    let next = Infinity
    for (const awaited of kept.items()) {
      const due = awaited.due(now)
      if (due > now) next = Math.min(next, due)
      else if (kept.delete(awaited)) awaited.expire(now)
    }
    return next
  }

  const watch = Effect.gen(function* () {
    for (;;) {
      wakesAt = -Infinity
      const now = monotonicMs(clock)
      const next = expireDue(now)
      if (kept.size === 0) break
      wakesAt = Math.min(next, now + longestSleepMs)
      yield* Effect.sleep(wakesAt - now)
    }
    wakesAt = Infinity
    sleeper = undefined
  })

  return {
    keep: (awaited, now) => {
      kept.add(awaited)
      if (awaited.due(now) >= wakesAt) return
      sleeper?.interruptUnsafe()
      sleeper = fork(watch)
    },
    release: (awaited) => void kept.delete(awaited),
  }
}
