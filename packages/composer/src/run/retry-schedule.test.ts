import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Random from 'effect/Random'
import * as Schedule from 'effect/Schedule'
import { describe, expect, it } from 'vitest'
import { runOnTestClock, runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, says, scriptedTools } from '../../test/scripted-tools.js'
import { retrySchedule } from './retry-schedule.js'

describe('retries', () => {
  const retrying = (retryCount: number, retryDelayMs?: number) =>
    workflowOf({
      steps: [
        toolStep('a', {
          onError: { action: 'retry', retryCount, ...(retryDelayMs !== undefined && { retryDelayMs }) },
        }),
      ],
    })

  it('CORE-W03 CORE-W04 call again until the tool succeeds, and are counted', async () => {
    let calls = 0
    const tools = scriptedTools({ a: () => (++calls <= 2 ? fails('not yet') : says('ok')) })

    const run = await runOnTestClock(retrying(2, 10), tools, { advance: [100, 100] })

    expect(run.status).toBe('completed')
    expect(run.steps[0]).toMatchObject({ status: 'completed', retryCount: 2 })
  })

  it('CORE-W05 end with the last error when they are used up', async () => {
    const tools = scriptedTools({ a: () => fails('Persistent error: operation failed') })

    const run = await runOnTestClock(retrying(2, 10), tools, { advance: [100, 100, 100] })

    expect(tools.calls).toHaveLength(3)
    expect(run.steps[0]).toMatchObject({ status: 'failed', retryCount: 2 })
    expect(run.error?.message).toBe(
      'tool call failed: tool a in step a: tool execution failed: Persistent error: operation failed',
    )
  })

  it('CORE-W06 are ten at most', async () => {
    const tools = scriptedTools({ a: () => fails('always') })

    await runOnTestClock(retrying(1000, 1), tools, { advance: Array.from({ length: 12 }, () => 60) })

    expect(tools.calls).toHaveLength(11)
  })

  it('are not made for a step that does not ask for them', async () => {
    const tools = scriptedTools({ a: () => fails('always') })

    await runToEnd(workflowOf({ steps: [toolStep('a')] }), tools)

    expect(tools.calls).toHaveLength(1)
  })

  it('wait for a second by default', async () => {
    const tools = scriptedTools({ a: () => (tools.calls.length < 2 ? fails('not yet') : says('ok')) })

    await runOnTestClock(retrying(1), tools, { advance: [1000] })

    expect(tools.calls).toHaveLength(2)
  })
})

describe('retrySchedule', () => {
  /** The waits in milliseconds, when each call fails at once and the spread is drawn as given. */
  function waitsOf(schedule: ReturnType<typeof retrySchedule>, drawn: number): Promise<number[]> {
    const program = Effect.gen(function* () {
      const step = yield* Schedule.toStep(schedule)
      const waits: number[] = []
      const next = Effect.map(
        Effect.suspend(() =>
          step(
            waits.reduce((sum, wait) => sum + wait, 0),
            undefined,
          ),
        ),
        ([, wait]) => waits.push(Math.round(Duration.toMillis(wait))),
      )
      yield* Effect.ignore(Effect.forever(next))
      return waits
    })
    return Effect.runPromise(
      Effect.provideService(program, Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => drawn }),
    )
  }

  it('CORE-W06 waits half as long again each time, ten times at most', async () => {
    const waits = await waitsOf(retrySchedule(1000, 100), 0.5)

    expect(waits).toEqual([100, 150, 225, 338, 506, 759, 1139, 1709, 2563, 3844])
  })

  it('spreads each wait by up to half of itself', async () => {
    expect(await waitsOf(retrySchedule(2, 1000), 0)).toEqual([500, 750])
    expect(await waitsOf(retrySchedule(2, 1000), 0.999_999)).toEqual([1500, 2250])
  })

  it('gives up after a quarter of an hour', async () => {
    expect(await waitsOf(retrySchedule(10, 300_000), 0.5)).toEqual([300_000, 450_000, 675_000])
  })
})
