import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { monotonicMs } from '../monotonic.js'
import { keeperOf } from './deadline-keeper.js'

/** Keeps deadlines on a clock that the test moves. `expired` names those that were reached, in order. */
function onTestClock(
  test: (keep: (name: string, afterMs: number) => () => void, expired: readonly string[]) => Effect.Effect<void>,
): Promise<void> {
  const program = Clock.clockWith((clock) => {
    const expired: string[] = []
    const keep = (name: string, afterMs: number) => {
      const now = monotonicMs(clock)
      const awaited = { place: -1, due: () => now + afterMs, expire: () => void expired.push(name) }
      keeperOf(clock).keep(awaited, now)
      return () => keeperOf(clock).release(awaited)
    }
    return test(keep, expired)
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
}

describe('keeperOf', () => {
  it('expires each deadline to the millisecond, the earlier one first, whichever was kept first', async () => {
    await onTestClock((keep, expired) =>
      Effect.gen(function* () {
        keep('late', 30_000)
        keep('early', 20)
        yield* TestClock.adjust(19)
        expect(expired).toEqual([])
        yield* TestClock.adjust(1)
        expect(expired).toEqual(['early'])
        yield* TestClock.adjust(29_979)
        expect(expired).toEqual(['early'])
        yield* TestClock.adjust(1)
        expect(expired).toEqual(['early', 'late'])
      }),
    )
  })

  it('forgets a deadline that is released', async () => {
    await onTestClock((keep, expired) =>
      Effect.gen(function* () {
        const release = keep('met', 1_000)
        release()
        yield* TestClock.adjust(60_000)
        expect(expired).toEqual([])
      }),
    )
  })

  it('keeps deadlines again after a time without any', async () => {
    await onTestClock((keep, expired) =>
      Effect.gen(function* () {
        keep('first', 10)
        yield* TestClock.adjust(60_000)
        keep('second', 10)
        yield* TestClock.adjust(10)
        expect(expired).toEqual(['first', 'second'])
      }),
    )
  })
})
