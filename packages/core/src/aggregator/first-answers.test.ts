import type { Backend, BackendDescription } from '@vmcp/domain'
import { BackendUnavailable, Identity } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { Aggregator } from './aggregator.js'
import type { AggregatorShape } from './aggregator.js'
import { advertised, aggregatorLayer, findingsOf } from './test-support/aggregate.js'
import type { Setup } from './test-support/aggregate.js'
import { scriptedBackend } from './test-support/scripted-backend.js'
import type { View } from './view.js'

const alice = new Identity({ issuer: 'https://idp', subject: 'alice' })
const description: BackendDescription = { capabilities: { tools: {} } }

/** A backend that answers when the test says so. */
function held(id: string, transport?: string) {
  const waiting: ((outcome: BackendDescription | Promise<never>) => void)[] = []
  const state = { asked: 0, aborted: 0, isHeld: true }
  const scripted = scriptedBackend(id, {
    tools: ['x'],
    client: {
      describe: (_identity, options) => {
        state.asked += 1
        if (!state.isHeld) return Promise.resolve(description)
        options?.signal?.addEventListener('abort', () => (state.aborted += 1))
        return new Promise<BackendDescription>((resolve) => waiting.push(resolve))
      },
    },
  })
  const backend: Backend = { ...scripted, ...(transport !== undefined && { transport }) }
  const end = (outcome: BackendDescription | Promise<never>) => {
    state.isHeld = false
    for (const resolve of waiting.splice(0)) resolve(outcome)
  }
  return {
    backend,
    state,
    answer: () => end(description),
    fail: () => end(Promise.reject(new BackendUnavailable(id, 'closed'))),
  }
}

const quick = (id: string) => scriptedBackend(id, { tools: ['x'] })

function run<A, E>(
  backends: readonly Backend[],
  test: (aggregator: AggregatorShape) => Effect.Effect<A, E>,
  setup: Setup = {},
): Promise<A> {
  const layer = aggregatorLayer(backends, { firstAnswerMs: 500, discoveryTimeoutMs: () => 30_000, ...setup })
  return Effect.runPromise(
    Effect.flatMap(Aggregator, test).pipe(Effect.provide(layer), Effect.provide(TestClock.layer())),
  )
}

/** Lets everything that is ready run. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
})

/** Lets time go by, and everything that is due happen. */
const pass = (milliseconds: number) =>
  Effect.andThen(settle, Effect.andThen(TestClock.adjust(milliseconds), Effect.as(settle, undefined)))

const toolsOf = (view: View) => [...view.tools.keys()]
const isDone = (fiber: Fiber.Fiber<unknown, unknown>) => fiber.pollUnsafe() !== undefined

describe('the first answer of a backend', () => {
  it('is not waited for longer than the patience, and says that it is missing', async () => {
    const hanging = held('hanging')
    await run([hanging.backend, quick('quick')], ({ view }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(view(alice))
        yield* pass(499)
        expect(isDone(first)).toBe(false)
        yield* pass(1)
        const early = yield* Fiber.join(first)
        expect(advertised(early)).toEqual(['quick_x -> quick/x'])
        expect(findingsOf(early, 'backend-failed')).toMatchObject([
          { backendId: 'hanging', message: expect.stringContaining('has not answered yet') },
        ])
        expect(early.report.counts.backends).toBe(2)
        expect(yield* view(alice)).toBe(early)
      }),
    )
    expect(hanging.state).toMatchObject({ asked: 1 })
  })

  it('joins the view when it comes, and is told of', async () => {
    const slow = held('slow')
    const joined: string[] = []
    await run([slow.backend, quick('quick')], ({ view, onJoined }) =>
      Effect.gen(function* () {
        const stop = onJoined((backendId) => joined.push(backendId))
        const first = yield* Effect.forkChild(view(alice))
        yield* pass(500)
        expect(toolsOf(yield* Fiber.join(first))).toEqual(['quick_x'])
        slow.answer()
        yield* settle
        expect(joined).toEqual(['slow'])
        const complete = yield* view(alice)
        expect(toolsOf(complete)).toEqual(['quick_x', 'slow_x'])
        expect(complete.report.findings).toEqual([])
        stop()
      }),
    )
  })

  it('is waited for by those who have nothing else to list, until one comes', async () => {
    const [one, other] = [held('one'), held('other')]
    const down = scriptedBackend('down', { client: { describe: () => Promise.reject(new Error('down')) } })
    await run([one.backend, other.backend, down], ({ view }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(view(alice))
        yield* pass(10_000)
        expect(isDone(first)).toBe(false)
        other.answer()
        expect(toolsOf(yield* Fiber.join(first))).toEqual(['other_x'])
      }),
    )
  })

  it('that never comes to anybody is the failure it always was', async () => {
    const [one, other] = [held('one'), held('other')]
    await run([one.backend, other.backend], ({ view }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(Effect.flip(view(alice)))
        yield* pass(30_000)
        expect(yield* Fiber.join(first)).toMatchObject({ _tag: 'BackendUnavailable', reason: 'unreachable' })
      }),
    )
  })

  it('is not waited for by ten at a time while others could be asked', async () => {
    const hanging = Array.from({ length: 25 }, (_, index) => held(`a${index}`))
    await run([...hanging.map(({ backend }) => backend), quick('quick')], ({ view }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(view(alice))
        for (let round = 0; round < 3; round += 1) yield* pass(500)
        expect(toolsOf(yield* Fiber.join(first))).toEqual(['quick_x'])
      }),
    )
  })

  it('is asked for once although lists are not kept, and again when it has failed', async () => {
    const hanging = held('hanging')
    const once = ({ view }: AggregatorShape) =>
      Effect.gen(function* () {
        const list = yield* Effect.forkChild(view(alice))
        yield* pass(500)
        return toolsOf(yield* Fiber.join(list))
      })
    await run(
      [hanging.backend, quick('quick')],
      (aggregator) =>
        Effect.gen(function* () {
          expect(yield* once(aggregator)).toEqual(['quick_x'])
          expect(toolsOf(yield* aggregator.view(alice))).toEqual(['quick_x'])
          expect(hanging.state.asked).toBe(1)
          hanging.fail()
          yield* settle
          expect(yield* once(aggregator)).toEqual(['hanging_x', 'quick_x'])
          expect(hanging.state.asked).toBe(2)
        }),
      { aggregation: { cacheTtlMs: 0 } },
    )
  })

  it('ends at the deadline for lists, also when it is late', async () => {
    const hanging = held('hanging')
    await run([hanging.backend, quick('quick')], ({ view }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(view(alice))
        yield* pass(29_999)
        yield* Fiber.join(first)
        expect(hanging.state.aborted).toBe(0)
        yield* pass(1)
        expect(hanging.state.aborted).toBe(1)
      }),
    )
  })

  it('is not waited for any more by a caller who leaves', async () => {
    const hanging = held('hanging')
    await run([hanging.backend, quick('quick')], ({ view }) =>
      Effect.gen(function* () {
        const leaving = yield* Effect.forkChild(view(alice))
        yield* pass(100)
        yield* Fiber.interrupt(leaving)
      }),
    )
    expect(hanging.state).toMatchObject({ asked: 1, aborted: 1 })
  })
})

describe('a backend that is waited for', () => {
  async function isWaitedFor(backend: Backend, answer: () => void, setup: Setup = {}): Promise<void> {
    await run(
      [backend, quick('quick')],
      ({ view }) =>
        Effect.gen(function* () {
          const first = yield* Effect.forkChild(view(alice))
          yield* pass(9_000)
          expect(isDone(first)).toBe(false)
          answer()
          expect(toolsOf(yield* Fiber.join(first))).toEqual([`${backend.id}_x`, 'quick_x'])
        }),
      setup,
    )
  }

  it('is a program, which needs its time to start', async () => {
    const program = held('program', 'stdio')
    await isWaitedFor(program.backend, program.answer)
  })

  it('is every one when no patience is set', async () => {
    const slow = held('a')
    const layer = aggregatorLayer([slow.backend, quick('quick')], { discoveryTimeoutMs: () => 30_000 })
    await Effect.runPromise(
      Effect.gen(function* () {
        const first = yield* Effect.forkChild((yield* Aggregator).view(alice))
        yield* pass(20_000)
        expect(isDone(first)).toBe(false)
        slow.answer()
        expect(toolsOf(yield* Fiber.join(first))).toEqual(['a_x', 'quick_x'])
      }).pipe(Effect.provide(layer), Effect.provide(TestClock.layer())),
    )
  })

  it('is every one when all fail together', async () => {
    const slow = held('a')
    await isWaitedFor(slow.backend, slow.answer, { partialFailureMode: 'fail' })
  })

  it('is one that has answered before, so that its tools do not come and go', async () => {
    const slow = held('slow')
    slow.state.isHeld = false
    await run([slow.backend, quick('quick')], ({ view, purge }) =>
      Effect.gen(function* () {
        yield* view(alice)
        slow.state.isHeld = true
        purge()
        const next = yield* Effect.forkChild(view(alice))
        yield* pass(9_000)
        expect(isDone(next)).toBe(false)
        slow.answer()
        expect(toolsOf(yield* Fiber.join(next))).toEqual(['quick_x', 'slow_x'])
      }),
    )
  })
})
