import { BackendAuthenticationFailed, BackendRejected, BackendUnavailable, Cancelled } from '@vmcp/domain'
import type { Backend, BackendClient } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { healthSettings } from './health-settings.js'
import { probe } from './probe.js'
import type { ProbeResult } from './probe.js'

describe('probe', () => {
  it('calls a backend that answers healthy', async () => {
    expect(await probed(async () => undefined)).toEqual({ outcome: 'success', health: 'healthy' })
  })

  it('AGG-H05 calls a good answer after more than 5 s degraded', async () => {
    const answering = (milliseconds: number) => {
      let answer = (): void => undefined
      const waiting = new Promise<void>((resolve) => (answer = resolve))
      return probed(() => waiting, { wait: milliseconds, then: () => answer() })
    }
    expect(await answering(5_000)).toEqual({ outcome: 'success', health: 'healthy' })
    expect(await answering(5_001)).toEqual({ outcome: 'success', health: 'degraded' })
  })

  it('AGG-H02 gives up in time, and tells the backend', async () => {
    let aborted = false
    const hanging: NonNullable<BackendClient['probe']> = (options) => {
      options?.signal?.addEventListener('abort', () => (aborted = true))
      return new Promise(() => undefined)
    }
    expect(await probed(hanging, { wait: 10_000 })).toEqual({
      outcome: 'failure',
      health: 'unhealthy',
      category: 'timeout',
    })
    expect(aborted).toBe(true)
  })

  it.each(['token_exchange', 'header_injection'])(
    'SRV-B086 AGG-H04 takes a refusal for healthy where %s is set',
    async (authentication) => {
      const result = await probed(failing(new BackendAuthenticationFailed('api')), { authentication })
      expect(result).toEqual({ outcome: 'success', health: 'healthy' })
    },
  )

  it('SRV-B086 AGG-H04 takes a refusal for unauthenticated where no strategy is set', async () => {
    const result = await probed(failing(new BackendAuthenticationFailed('api')))
    expect(result).toEqual({ outcome: 'failure', health: 'unauthenticated', category: 'authentication_failed' })
  })

  it.each([
    [new BackendUnavailable('api', 'unreachable'), 'connection_failed'],
    [new BackendUnavailable('api', 'closed'), 'connection_failed'],
    [new BackendUnavailable('api', 'http', { status: 503 }), 'backend_unavailable'],
    [new BackendUnavailable('api', 'protocol'), 'backend_unavailable'],
    [new BackendRejected('api', { code: -32603, message: 'secret' }), 'health_check_failed'],
    [new Cancelled(), 'cancelled'],
    [new Error('some random error with sensitive data'), 'health_check_failed'],
  ])('SRV-B093 gives of %s the kind only', async (error, category) => {
    expect(await probed(failing(error))).toEqual({ outcome: 'failure', health: 'unhealthy', category })
  })

  it('counts a client that throws at once as failed', async () => {
    const throwing = (): Promise<void> => {
      throw new Error('no promise')
    }
    expect(await probed(throwing)).toMatchObject({ outcome: 'failure', category: 'health_check_failed' })
  })

  it('asks describe, as nobody, where there is no probe, and learns the protocol revision', async () => {
    const callers: unknown[] = []
    const describe: BackendClient['describe'] = async (identity) => {
      callers.push(identity)
      return { capabilities: {}, protocolVersion: '2026-07-28' }
    }
    const backend: Backend = { id: 'api', client: { describe, close: async () => undefined } }
    expect(await Effect.runPromise(probe(backend, healthSettings({})))).toMatchObject({
      health: 'healthy',
      facts: { protocolVersion: '2026-07-28' },
    })
    expect(callers).toEqual([null])
  })
})

interface Circumstances {
  readonly authentication?: string
  /** Milliseconds that pass on the virtual clock once the probe has begun. */
  readonly wait?: number
  /** What happens then. */
  readonly then?: () => void
}

function probed(ask: NonNullable<BackendClient['probe']>, given: Circumstances = {}): Promise<ProbeResult> {
  const client: BackendClient = {
    describe: async () => ({ capabilities: {} }),
    probe: ask,
    close: async () => undefined,
  }
  const backend: Backend = {
    id: 'api',
    client,
    ...(given.authentication !== undefined && { authentication: given.authentication }),
  }
  const program = Effect.gen(function* () {
    const probing = yield* Effect.forkChild(probe(backend, healthSettings({})))
    yield* TestClock.adjust(given.wait ?? 0)
    given.then?.()
    return yield* Fiber.join(probing)
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
}

function failing(error: Error): NonNullable<BackendClient['probe']> {
  return () => Promise.reject(error)
}
