import {
  BackendAuthenticationFailed,
  BackendRejected,
  BackendTimeout,
  BackendUnavailable,
  Cancelled,
  silentLogger,
} from '@vmcp/domain'
import type { Backend } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { backendWatch } from './backend-watch.js'
import type { BackendWatch } from './backend-watch.js'
import { healthSettings } from './health-settings.js'

const down = new BackendUnavailable('api', 'unreachable')

// SRV-B087-089 and AGG-H06-07 speak of probes. Ours guards calls as well, and either may be the trial: a backend that is
// down must not cost every caller a timeout.
describe('backendWatch with a circuit breaker', () => {
  it('SRV-B087 refuses calls after three failures, then lets a single one through', () =>
    onTestClock(function* () {
      const { watch } = watched()
      for (let turn = 0; turn < 3; turn++) expect(yield* failing(watch, down)).toBe(down)
      expect(watch.status().circuit).toBe('open')
      expect(yield* failing(watch, down)).toMatchObject({ backendId: 'api', reason: 'circuit-open' })
      yield* TestClock.adjust(60_000)
      const trial = yield* Effect.forkChild(watch.guard(Effect.as(Effect.sleep(10), 'answer')))
      yield* Effect.yieldNow
      expect(watch.status().circuit).toBe('half-open')
      expect(yield* failing(watch, down)).toMatchObject({ reason: 'circuit-open' })
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(trial)).toBe('answer')
      expect(watch.status().circuit).toBe('closed')
    }))

  it('SRV-B088 opens again when the trial fails', () =>
    onTestClock(function* () {
      const { watch } = watched()
      yield* open(watch)
      yield* TestClock.adjust(60_000)
      expect(yield* failing(watch, down)).toBe(down)
      expect(yield* failing(watch, down)).toMatchObject({ reason: 'circuit-open' })
    }))

  it('SRV-B089 AGG-H06 probes nothing while it is open; a probe is the trial that closes it', () =>
    onTestClock(function* () {
      const { watch, api } = watched()
      api.answers = false
      for (let turn = 0; turn < 5; turn++) yield* watch.check
      expect(api.probes).toBe(3)
      expect(watch.status()).toMatchObject({ health: 'unhealthy', circuit: 'open' })
      yield* TestClock.adjust(60_000)
      api.answers = true
      yield* watch.check
      expect(watch.status()).toMatchObject({ health: 'degraded', circuit: 'closed' })
    }))

  it('AGG-H07 does not probe while a call is the trial', () =>
    onTestClock(function* () {
      const { watch, api } = watched()
      yield* open(watch)
      yield* TestClock.adjust(60_000)
      yield* Effect.forkChild(watch.guard(Effect.never))
      yield* Effect.yieldNow
      yield* watch.check
      expect(api.probes).toBe(0)
    }))

  it('counts calls and probes together', () =>
    onTestClock(function* () {
      const { watch, api } = watched()
      api.answers = false
      yield* watch.check
      yield* failing(watch, down)
      yield* failing(watch, new BackendTimeout('api', 100))
      expect(watch.status().circuit).toBe('open')
    }))

  it.each([
    new BackendRejected('api', { code: -32602, message: 'no' }),
    new BackendAuthenticationFailed('api'),
    new Cancelled(),
    new BackendUnavailable('api', 'too-large'),
    new BackendUnavailable('api', 'protocol'),
    new BackendUnavailable('api', 'http', { status: 429 }),
    new Error('a fault of ours'),
  ])('stays closed however often a caller brings about: %s', (error) =>
    onTestClock(function* () {
      const { watch } = watched()
      for (let turn = 0; turn < 5; turn++) expect(yield* failing(watch, error)).toBe(error)
      expect(watch.status().circuit).toBe('closed')
    }),
  )

  it('lets the next call try when the trial was cancelled', () =>
    onTestClock(function* () {
      const { watch } = watched()
      yield* open(watch)
      yield* TestClock.adjust(60_000)
      const trial = yield* Effect.forkChild(watch.guard(Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(trial)
      expect(yield* watch.guard(Effect.succeed('answer'))).toBe('answer')
      expect(watch.status().circuit).toBe('closed')
    }))

  it('tells of a circuit that closes, not of one that opens', () =>
    onTestClock(function* () {
      const { watch, api } = watched()
      yield* open(watch)
      expect(api.changes).toBe(0)
      yield* TestClock.adjust(60_000)
      yield* watch.guard(Effect.void)
      expect(api.changes).toBe(1)
    }))
})

function watched() {
  const api = { answers: true, probes: 0, changes: 0 }
  const backend: Backend = {
    id: 'api',
    client: {
      describe: async () => ({ capabilities: {} }),
      probe: async () => {
        api.probes++
        if (!api.answers) throw down
      },
      close: async () => undefined,
    },
  }
  const settings = healthSettings({ circuitBreaker: { failureThreshold: 3, timeoutMs: 60_000 } })
  const watch = backendWatch(backend, { settings, logger: silentLogger, changed: () => api.changes++ })
  return { watch, api }
}

function failing(watch: BackendWatch, error: Error) {
  return Effect.flip(watch.guard(Effect.fail(error)))
}

function open(watch: BackendWatch) {
  return Effect.repeat(failing(watch, down), { times: 2 })
}

function onTestClock(test: () => Generator<Effect.Effect<unknown, unknown>, void, never>): Promise<void> {
  return Effect.runPromise(Effect.provide(Effect.gen(test), TestClock.layer()))
}
