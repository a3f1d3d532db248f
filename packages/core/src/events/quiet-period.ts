import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'

import { monotonicMs } from '../monotonic.js'

/** Milliseconds without another notice before something is done about the first. */
const quietMs = 100
/** Milliseconds after which something is done although notices keep coming. */
const longestMs = 1_000
/** The longest quiet period that notices without consequence lead to. */
const cautiousMs = 60_000

/** Turns many notices into few actions. */
export interface QuietPeriod<R> {
  /** Takes notice. Gives the effect that waits and acts, unless one is waiting already. */
  notice(): Effect.Effect<void, never, R> | undefined
}

/**
 * Acts once notices have stopped for a moment, or have kept coming for a while. `act` tells whether there was any
 * consequence; each time there was none the period doubles, so that an action that causes its own notices does not go
 * round in circles.
 */
export function quietPeriod<R>(act: Effect.Effect<boolean, never, R>): QuietPeriod<R> {
  let waiting = false
  let lastNotice = 0
  let notices = 0
  let period = quietMs

  const waitAndAct = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const first = monotonicMs(clock)
    for (let seen = -1; ;) {
      const current = monotonicMs(clock)
      if (seen !== notices) lastNotice = current
      seen = notices
      const due = Math.min(lastNotice + period, first + Math.max(period, longestMs))
      if (current >= due) break
      yield* Effect.sleep(due - current)
    }
    waiting = false
    period = (yield* act) ? quietMs : Math.min(period * 2, cautiousMs)
  })

  return {
    notice: () => {
      notices += 1
      if (waiting) return undefined
      waiting = true
      return waitAndAct
    },
  }
}
