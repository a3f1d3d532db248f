import { BackendUnavailable, Cancelled, Identity } from '@vmcp/domain'
import type { Backend, BackendDescription } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Scheduler from 'effect/Scheduler'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { Aggregator } from './aggregator.js'
import type { AggregatorShape } from './aggregator.js'
import { aggregatorLayer } from './test-support/aggregate.js'
import type { Setup } from './test-support/aggregate.js'
import { scriptedBackend } from './test-support/scripted-backend.js'

const alice = new Identity({ issuer: 'https://idp', subject: 'alice' })

/** A backend whose answer the test gives, and that knows whether it was cancelled. */
function held(id = 'b') {
  const state = { sweeps: 0, aborted: 0, answer: () => undefined as void, backend: undefined as unknown as Backend }
  state.backend = scriptedBackend(id, {
    tools: ['x'],
    client: {
      describe: (_identity, options) => {
        state.sweeps++
        return new Promise<BackendDescription>((resolve) => {
          state.answer = () => resolve({ capabilities: { tools: {} } })
          options?.signal?.addEventListener('abort', () => state.aborted++)
        })
      },
    },
  })
  return state
}

function run<A, E>(
  backends: readonly Backend[],
  test: (aggregator: AggregatorShape) => Effect.Effect<A, E>,
  setup: Setup = {},
): Promise<A> {
  return Effect.runPromise(
    Effect.flatMap(Aggregator, test).pipe(
      Effect.provide(aggregatorLayer(backends, setup)),
      Effect.provide(TestClock.layer()),
    ),
  )
}

/** Lets every fiber run until it waits for something that the test has to give. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
})

describe('concurrent callers', () => {
  it('share one build', async () => {
    const backend = held()
    await run([backend.backend], ({ view }) =>
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 50 }, () => view(alice)),
            { concurrency: 'unbounded' },
          ),
        )
        yield* settle
        backend.answer()
        const views = yield* Fiber.join(waiting)
        expect(new Set(views).size).toBe(1)
      }),
    )
    expect(backend.sweeps).toBe(1)
  })

  it.each([5, 6, 7, 8, 9, 10])('share one build though others run after each %d operations', async (operations) => {
    const backend = scriptedBackend('b', { tools: ['x'] })
    const views = await run([backend], ({ view }) =>
      Effect.all(
        Array.from({ length: 20 }, () => view(alice)),
        { concurrency: 'unbounded' },
      ).pipe(Effect.provideService(Scheduler.MaxOpsBeforeYield, operations)),
    )
    expect(new Set(views).size).toBe(1)
  })

  it('share a failure too', async () => {
    let sweeps = 0
    const failing = scriptedBackend('b', {
      client: {
        describe: async () => {
          sweeps++
          await new Promise((resolve) => setImmediate(resolve))
          throw new BackendUnavailable('b', 'unreachable')
        },
      },
    })
    const exits = await run([failing], ({ view }) =>
      Effect.all([Effect.exit(view(alice)), Effect.exit(view(alice))], { concurrency: 'unbounded' }),
    )
    expect(exits.every(Exit.isFailure)).toBe(true)
    expect(sweeps).toBe(1)
  })

  it('are not disturbed by one who leaves', async () => {
    const backend = held()
    await run([backend.backend], ({ view }) =>
      Effect.gen(function* () {
        const leaving = yield* Effect.forkChild(view(alice))
        const staying = yield* Effect.forkChild(view(alice))
        yield* settle
        yield* Fiber.interrupt(leaving)
        backend.answer()
        expect((yield* Fiber.join(staying)).tools.size).toBe(1)
      }),
    )
    expect(backend).toMatchObject({ sweeps: 1, aborted: 0 })
  })

  it('cancel the build when the last one leaves, and the next one starts anew', async () => {
    const backend = held()
    await run([backend.backend], ({ view }) =>
      Effect.gen(function* () {
        const callers = [yield* Effect.forkChild(view(alice)), yield* Effect.forkChild(view(alice))]
        yield* settle
        for (const caller of callers) yield* Fiber.interrupt(caller)
        expect(backend.aborted).toBe(1)
        const next = yield* Effect.forkChild(view(alice))
        yield* settle
        backend.answer()
        yield* Fiber.join(next)
      }),
    )
    expect(backend.sweeps).toBe(2)
  })

  it('after a purge do not get what a build saw before it', async () => {
    const backend = held()
    await run([backend.backend], ({ view, purge }) =>
      Effect.gen(function* () {
        const early = yield* Effect.forkChild(view(alice))
        yield* settle
        const answerEarly = backend.answer
        purge('b')
        const late = yield* Effect.forkChild(view(alice))
        yield* settle
        answerEarly()
        const old = yield* Fiber.join(early)
        backend.answer()
        const current = yield* Fiber.join(late)
        expect(current).not.toBe(old)
        expect(yield* view(alice)).toBe(current)
      }),
    )
    expect(backend).toMatchObject({ sweeps: 2, aborted: 0 })
  })

  it('get Cancelled when the gateway is closed while they wait', async () => {
    const backend = held()
    const exit = await Effect.runPromise(
      Effect.gen(function* () {
        const waiting = yield* Effect.flatMap(Aggregator, ({ view }) =>
          Effect.andThen(Effect.forkDetach(Effect.flip(view(alice))), (fiber) => Effect.as(settle, fiber)),
        ).pipe(Effect.provide(aggregatorLayer([backend.backend])))
        return yield* Fiber.join(waiting)
      }),
    )
    expect(exit).toBeInstanceOf(Cancelled)
    expect(backend.aborted).toBe(1)
  })
})
