import { BackendAuthenticationFailed, BackendUnavailable, InvalidConfig } from '@vmcp/domain'
import type { Backend, BackendClient } from '@vmcp/domain'
import { recordingLogger } from '@vmcp/testing'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as Scope from 'effect/Scope'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { Backends } from '../backends/backends.js'
import type { HealthConfig } from '../core-config.js'
import { Health } from './health.js'
import type { HealthShape } from './health.js'

const interval = 30_000
const down = new BackendUnavailable('api', 'unreachable')

describe('Health without monitoring', () => {
  it('serves every backend it knows and probes none', async () => {
    const api = scripted(['fail'])
    await watching(undefined, [api.backend], (health) =>
      Effect.gen(function* () {
        yield* health.firstRound
        yield* TestClock.adjust(10 * interval)
        expect(serves(health, 'api')).toBe(true)
        expect(serves(health, 'nobody')).toBe(false)
        expect(health.statuses()).toEqual([{ id: 'api', name: 'api', health: 'healthy', consecutiveFailures: 0 }])
        expect(api.probes()).toBe(0)
      }),
    )
  })

  it('lets every call through', async () => {
    await watching(undefined, [scripted([]).backend], (health) =>
      Effect.gen(function* () {
        for (let turn = 0; turn < 20; turn++) expect(yield* failureOf(health, down)).toBe(down)
        expect(yield* health.guard('api', Effect.succeed('answer'))).toBe('answer')
      }),
    )
  })
})

describe('the monitor of Health', () => {
  it('serves a backend until its first probe has ended, and waits for that in firstRound', async () => {
    const api = scripted(['hang'])
    await watching({}, [api.backend], (health) =>
      Effect.gen(function* () {
        const round = yield* Effect.forkChild(health.firstRound)
        yield* TestClock.adjust(9_999)
        expect(serves(health, 'api')).toBe(true)
        expect(round.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust(1)
        yield* Fiber.join(round)
        expect(serves(health, 'api')).toBe(false)
      }),
    )
  })

  it('SRV-B084 AGG-H01 AGG-H02 keeps a backend that fails from the start unknown, then calls it unhealthy', async () => {
    const api = scripted(['fail'])
    await watching({ unhealthyThreshold: 3 }, [api.backend], (health) =>
      Effect.gen(function* () {
        const seen = []
        for (let turn = 0; turn < 3; turn++) {
          yield* turn === 0 ? health.firstRound : TestClock.adjust(interval)
          seen.push(health.statuses()[0])
        }
        expect(seen).toMatchObject([
          { health: 'unknown', consecutiveFailures: 1 },
          { health: 'unknown', consecutiveFailures: 2 },
          { health: 'unhealthy', consecutiveFailures: 3, lastFailure: 'connection_failed' },
        ])
      }),
    )
  })

  it('SRV-B085 AGG-H03 shows a backend that recovers as degraded for one round', async () => {
    const api = scripted(['fail', 'ok', 'ok'])
    await watching({}, [api.backend], (health) =>
      Effect.gen(function* () {
        yield* health.firstRound
        yield* TestClock.adjust(interval)
        expect(health.statuses()).toMatchObject([{ health: 'degraded', consecutiveFailures: 0 }])
        expect(health.statuses()[0]).not.toHaveProperty('lastFailure')
        yield* TestClock.adjust(interval)
        expect(health.statuses()).toMatchObject([{ health: 'healthy' }])
      }),
    )
  })

  it('leaves a healthy backend as it is until failures reach the threshold', async () => {
    const api = scripted(['ok', 'fail', 'fail', 'fail'])
    await watching({ unhealthyThreshold: 3 }, [api.backend], (health) =>
      Effect.gen(function* () {
        yield* health.firstRound
        yield* TestClock.adjust(2 * interval)
        expect(health.statuses()).toMatchObject([{ health: 'healthy', consecutiveFailures: 2 }])
        expect(serves(health, 'api')).toBe(true)
        yield* TestClock.adjust(interval)
        expect(serves(health, 'api')).toBe(false)
      }),
    )
  })

  it('AGG-H04 serves no backend that wants credentials of the gateway', async () => {
    const api = scripted([new BackendAuthenticationFailed('api')])
    await watching({ unhealthyThreshold: 1 }, [api.backend], (health) =>
      Effect.gen(function* () {
        yield* health.firstRound
        expect(health.statuses()).toMatchObject([{ health: 'unauthenticated', lastFailure: 'authentication_failed' }])
        expect(serves(health, 'api')).toBe(false)
      }),
    )
  })

  // A backend is not changed while a core runs: the row's update is the end of one core and the start of another.
  it('AGG-H08 SRV-B094 ignores what a probe finds after the end, and probes no more', async () => {
    const gate = gated()
    const seen: unknown[] = []
    const health = await watching({}, [gate.backend], (open) =>
      Effect.gen(function* () {
        open.onChange((change) => seen.push(change))
        yield* TestClock.adjust(1)
        return open
      }),
    )
    gate.fail(down)
    await new Promise(setImmediate)
    expect(health.statuses()).toMatchObject([{ health: 'unknown', consecutiveFailures: 0 }])
    expect({ seen, probes: gate.probes() }).toEqual({ seen: [], probes: 1 })
  })

  it('probes a slow backend without delaying the others', async () => {
    const slow = scripted(['hang'], { id: 'slow' })
    const fast = scripted(['ok'], { id: 'fast' })
    await watching({}, [slow.backend, fast.backend], (health) =>
      Effect.gen(function* () {
        yield* TestClock.adjust(1)
        expect(health.statuses().map(({ id, health }) => [id, health])).toEqual([
          ['fast', 'healthy'],
          ['slow', 'unknown'],
        ])
      }),
    )
  })

  it('keeps what others learned', async () => {
    await watching({}, [scripted(['ok']).backend], (health) =>
      Effect.gen(function* () {
        const offers = { tools: 3, resources: 0, templates: 0, prompts: 1 }
        health.learned('api', { protocolVersion: '2025-11-25' })
        health.learned('api', { offers })
        yield* health.firstRound
        expect(health.statuses()).toMatchObject([{ protocolVersion: '2025-11-25', offers }])
      }),
    )
  })
})

describe('Health.onChange', () => {
  it('tells when a backend ceases and begins to be served, and nothing else', async () => {
    const api = scripted(['ok', 'fail', 'fail', 'ok', 'ok'])
    await watching({ unhealthyThreshold: 2 }, [api.backend], (health) =>
      Effect.gen(function* () {
        const seen: boolean[] = []
        const stop = health.onChange(({ serves }) => seen.push(serves))
        yield* health.firstRound
        yield* TestClock.adjust(2 * interval)
        expect(seen).toEqual([false])
        yield* TestClock.adjust(2 * interval)
        expect(seen).toEqual([false, true])
        stop()
      }),
    )
  })

  it('is silent once it was stopped', async () => {
    await watching({ unhealthyThreshold: 1 }, [scripted(['ok', 'fail']).backend], (health) =>
      Effect.gen(function* () {
        const seen: unknown[] = []
        health.onChange((change) => seen.push(change))()
        yield* TestClock.adjust(interval)
        expect(serves(health, 'api')).toBe(false)
        expect(seen).toEqual([])
      }),
    )
  })
})

describe('Health.layer', () => {
  it('is built in one turn, so that a core can be made without waiting', () => {
    const layer = Layer.provide(Health.layer({ logger: recordingLogger(), health: {} }), Backends.layer([]))
    expect(Exit.isSuccess(Effect.runSyncExit(Effect.scoped(Layer.build(layer))))).toBe(true)
  })

  it('lists every problem of its settings', async () => {
    const wrong: HealthConfig = {
      checkIntervalMs: 0,
      unhealthyThreshold: 0,
      circuitBreaker: { failureThreshold: 0, timeoutMs: 0 },
    }
    const failure: unknown = await watching(wrong, [], () => Effect.void).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(InvalidConfig)
    expect(failure).toMatchObject({
      problems: [
        { path: 'health.checkIntervalMs', message: 'check interval must be > 0, got 0' },
        { path: 'health.unhealthyThreshold', message: 'unhealthy threshold must be >= 1, got 0' },
        { path: 'health.circuitBreaker.failureThreshold' },
        { path: 'health.circuitBreaker.timeoutMs' },
      ],
    })
  })

  it('refuses a probe timeout that is not below the interval', async () => {
    const wrong: HealthConfig = { checkIntervalMs: 1_000, checkTimeoutMs: 1_000 }
    await expect(watching(wrong, [], () => Effect.void)).rejects.toMatchObject({
      problems: [{ path: 'health.checkTimeoutMs' }],
    })
  })
})

/** What a probe does: answers, fails, never ends, or fails with that error. */
type Turn = 'ok' | 'fail' | 'hang' | Error

/** A backend whose probes follow a script; the last turn is repeated. */
function scripted(turns: readonly Turn[], fields: Partial<Backend> = {}) {
  let probes = 0
  const probe: NonNullable<BackendClient['probe']> = () => {
    const turn = turns[Math.min(probes++, turns.length - 1)] ?? 'ok'
    if (turn === 'ok') return Promise.resolve()
    if (turn === 'hang') return new Promise(() => undefined)
    return Promise.reject(turn === 'fail' ? down : turn)
  }
  const id = fields.id ?? 'api'
  return { backend: { ...named(id, { probe }), ...fields }, probes: () => probes }
}

/** A backend whose probes end when the test says so. */
function gated() {
  let probes = 0
  let answer: () => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const probe = () =>
    new Promise<void>((resolve, reject) => {
      probes++
      answer = resolve
      fail = reject
    })
  const backend = named('api', { probe })
  return { backend, probes: () => probes, answer: () => answer(), fail: (error: Error) => fail(error) }
}

function named(id: string, client: Partial<BackendClient>): Backend {
  const rest: BackendClient = { describe: async () => ({ capabilities: {} }), close: async () => undefined }
  return { id, client: { ...rest, ...client } }
}

function serves(health: HealthShape, backendId: string): boolean {
  return health.served().some(({ id }) => id === backendId)
}

function failureOf(health: HealthShape, error: Error) {
  return Effect.flip(health.guard('api', Effect.fail(error)))
}

/** Runs `use` on a virtual clock, then closes. */
function watching<A>(
  health: HealthConfig | undefined,
  backends: readonly Backend[],
  use: (health: HealthShape) => Effect.Effect<A, unknown>,
  logger = recordingLogger(),
): Promise<A> {
  const layer = Layer.provide(Health.layer({ logger, ...(health && { health }) }), Backends.layer(backends))
  const program = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(layer, scope)
    const used = yield* Effect.exit(Effect.flatMap(Health, use).pipe(Effect.provide(context)))
    yield* Scope.close(scope, Exit.void)
    return yield* used
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
}
