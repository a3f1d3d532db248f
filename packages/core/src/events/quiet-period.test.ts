import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { quietPeriod } from './quiet-period.js'

/** Takes notice `times` times, a millisecond apart, and tells when there was an action, in milliseconds. */
function actions(
  consequence: boolean,
  script: (notice: () => Effect.Effect<void>) => Effect.Effect<void>,
): Promise<number[]> {
  const acted: number[] = []
  const act = Effect.map(Clock.currentTimeMillis, (now) => {
    acted.push(now)
    return consequence
  })
  const { notice } = quietPeriod(act)
  const take = Effect.suspend(() => {
    const wait = notice()
    return wait === undefined ? Effect.void : Effect.asVoid(Effect.forkChild(wait, { startImmediately: true }))
  })
  return Effect.runPromise(
    Effect.as(
      script(() => take),
      acted,
    ).pipe(Effect.provide(TestClock.layer())),
  )
}

describe('quietPeriod', () => {
  it('acts once, a moment after the last notice', async () => {
    const acted = await actions(true, (notice) =>
      Effect.gen(function* () {
        for (let times = 0; times < 5; times += 1) {
          yield* notice()
          yield* TestClock.adjust(10)
        }
        yield* TestClock.adjust(10_000)
      }),
    )
    expect(acted).toHaveLength(1)
    expect(acted[0]).toBeLessThanOrEqual(250)
  })

  it('acts although notices keep coming', async () => {
    const acted = await actions(true, (notice) =>
      Effect.gen(function* () {
        for (let times = 0; times < 300; times += 1) {
          yield* notice()
          yield* TestClock.adjust(10)
        }
      }),
    )
    expect(acted.length).toBeGreaterThanOrEqual(2)
    expect(acted.length).toBeLessThanOrEqual(3)
  })

  it('waits longer each time there was no consequence', async () => {
    const acted = await actions(false, (notice) =>
      Effect.gen(function* () {
        for (let times = 0; times < 4; times += 1) {
          yield* notice()
          yield* TestClock.adjust(1_000)
        }
      }),
    )
    const gaps = acted.map((at, index) => at - index * 1_000)
    expect(gaps).toEqual([100, 200, 400, 800])
  })
})
