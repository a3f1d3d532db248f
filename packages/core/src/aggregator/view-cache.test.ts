import { BackendUnavailable, Identity } from '@vmcp/domain'
import type { Backend } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { Aggregator } from './aggregator.js'
import type { AggregatorShape } from './aggregator.js'
import { aggregatorLayer } from './test-support/aggregate.js'
import type { Setup } from './test-support/aggregate.js'
import { scriptedBackend } from './test-support/scripted-backend.js'

const identity = (subject: string) => new Identity({ issuer: 'https://idp', subject })
const alice = identity('alice')

/** A backend that counts how often it is asked. */
function counted(id = 'b') {
  const counter = { sweeps: 0, backend: undefined as unknown as Backend }
  counter.backend = scriptedBackend(id, {
    client: {
      describe: () => {
        counter.sweeps++
        return Promise.resolve({ capabilities: { tools: {} } })
      },
    },
  })
  return counter
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

describe('the view cache', () => {
  it('AGG-K01 asks once for each caller within the time to live', async () => {
    const counting = counted()
    await run([counting.backend], ({ view }) =>
      Effect.gen(function* () {
        yield* view(alice)
        yield* view(identity('bob'))
        expect(yield* view(alice)).toBe(yield* view(alice))
      }),
    )
    expect(counting.sweeps).toBe(2)
  })

  it('asks again after five seconds when a backend has failed', async () => {
    const whole = counted('a')
    let fails = true
    const failing = scriptedBackend('b', {
      tools: ['x'],
      client: {
        describe: () => (fails ? Promise.reject(new Error('down')) : Promise.resolve({ capabilities: { tools: {} } })),
      },
    })
    await run([whole.backend, failing], ({ view }) =>
      Effect.gen(function* () {
        expect([...(yield* view(alice)).tools.keys()]).toEqual([])
        fails = false
        yield* TestClock.adjust(4_999)
        expect([...(yield* view(alice)).tools.keys()]).toEqual([])
        yield* TestClock.adjust(1)
        expect([...(yield* view(alice)).tools.keys()]).toEqual(['b_x'])
      }),
    )
  })

  it('asks again when the time to live is over', async () => {
    const counting = counted()
    await run([counting.backend], ({ view }) =>
      Effect.gen(function* () {
        yield* view(alice)
        yield* TestClock.adjust(29_999)
        yield* view(alice)
        expect(counting.sweeps).toBe(1)
        yield* TestClock.adjust(1)
        yield* view(alice)
      }),
    )
    expect(counting.sweeps).toBe(2)
  })

  it('REL-B3 serves the old view while one backend holds up the new one, and builds that once', async () => {
    const counting = counted('a')
    let hangs = false
    const hanging = scriptedBackend('b', {
      client: {
        describe: (_, { signal } = {}) =>
          hangs
            ? new Promise((__, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))))
            : Promise.resolve({ capabilities: {} }),
      },
    })
    await run([counting.backend, hanging], ({ view }) =>
      Effect.gen(function* () {
        const old = yield* view(alice)
        hangs = true
        yield* TestClock.adjust(30_000)
        const early = yield* Effect.forkChild(view(alice))
        yield* TestClock.adjust(500)
        expect(yield* Fiber.join(early)).toBe(old)
        expect(yield* view(alice)).toBe(old)
        yield* TestClock.adjust(5_000)
        yield* Effect.promise(() => new Promise(setImmediate))
        expect(yield* view(alice)).not.toBe(old)
      }),
    )
    expect(counting.sweeps).toBe(2)
  })

  it('AGG-K02 keeps callers with different forwarded headers apart', async () => {
    const counting = counted()
    await run([counting.backend], ({ view }) =>
      Effect.gen(function* () {
        yield* view(alice, { forwardedHeaders: { authorization: 'one' } })
        yield* view(alice, { forwardedHeaders: { authorization: 'two' } })
        yield* view(alice, { forwardedHeaders: { authorization: 'one' } })
      }),
    )
    expect(counting.sweeps).toBe(2)
  })

  it('AGG-K03 keys by the set of backends that are served, in whatever order they are configured', async () => {
    const counting = counted('a')
    const served = new Set(['a', 'b'])
    await run(
      [scriptedBackend('b'), counting.backend],
      ({ view }) =>
        Effect.gen(function* () {
          yield* view(alice)
          served.delete('b')
          yield* view(alice)
          served.add('b')
          yield* view(alice)
        }),
      { health: { serves: (id) => served.has(id) } },
    )
    expect(counting.sweeps).toBe(2)
  })

  it('AGG-K04 does not keep failures', async () => {
    let sweeps = 0
    const flaky = scriptedBackend('b', {
      tools: ['x'],
      client: {
        describe: () =>
          ++sweeps === 1
            ? Promise.reject(new BackendUnavailable('b', 'unreachable'))
            : Promise.resolve({ capabilities: { tools: {} } }),
      },
    })
    await run([flaky], ({ view }) =>
      Effect.gen(function* () {
        expect(Exit.isFailure(yield* Effect.exit(view(alice)))).toBe(true)
        yield* view(alice)
        yield* view(alice)
      }),
    )
    expect(sweeps).toBe(2)
  })

  it('AGG-K05 asks again after a purge, of everything or of a backend that took part', async () => {
    const counting = counted('b')
    await run([counting.backend], ({ view, purge }) =>
      Effect.gen(function* () {
        yield* view(alice)
        purge()
        yield* view(alice)
        expect(counting.sweeps).toBe(2)
        purge('b')
        yield* view(alice)
        expect(counting.sweeps).toBe(3)
        purge('another')
        yield* view(alice)
        expect(counting.sweeps).toBe(3)
      }),
    )
  })

  it('keeps nothing when the time to live is 0', async () => {
    const counting = counted()
    await run([counting.backend], ({ view }) => Effect.andThen(view(alice), view(alice)), {
      aggregation: { cacheTtlMs: 0 },
    })
    expect(counting.sweeps).toBe(2)
  })

  it('forgets the view that was used longest ago when it is full', async () => {
    const counting = counted()
    await run(
      [counting.backend],
      ({ view }) =>
        Effect.gen(function* () {
          yield* view(identity('a'))
          yield* view(identity('b'))
          yield* view(identity('a'))
          yield* view(identity('c'))
          yield* view(identity('a'))
          expect(counting.sweeps).toBe(3)
          yield* view(identity('b'))
        }),
      { aggregation: { cacheSize: 2 } },
    )
    expect(counting.sweeps).toBe(4)
  })

  it('forgets what is too old before what is still good', async () => {
    const counting = counted()
    await run(
      [counting.backend],
      ({ view }) =>
        Effect.gen(function* () {
          yield* view(identity('old'))
          yield* TestClock.adjust(20_000)
          yield* view(identity('good'))
          yield* view(identity('old'))
          yield* TestClock.adjust(10_000)
          yield* view(identity('new'))
          expect(counting.sweeps).toBe(3)
          yield* view(identity('good'))
        }),
      { aggregation: { cacheSize: 2 } },
    )
    expect(counting.sweeps).toBe(3)
  })
})
