import { BackendAuthenticationFailed, BackendTimeout, BackendUnavailable, Cancelled } from '@vmcp/domain'
import type { CallOptions } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import { Aggregator } from './aggregator.js'
import { advertised, aggregate, aggregatorLayer, findingsOf } from './test-support/aggregate.js'
import { scriptedBackend, toolNamed } from './test-support/scripted-backend.js'

const down = (id: string) =>
  scriptedBackend(id, { client: { describe: () => Promise.reject(new BackendUnavailable(id, 'unreachable')) } })

describe('discovery', () => {
  it('AGG-Q01 serves the others when a backend times out, and reports it', async () => {
    const late = () => Promise.reject(new BackendTimeout('backend2', 5000))
    const view = await aggregate([
      scriptedBackend('backend1', { tools: ['x'] }),
      scriptedBackend('backend2', { client: { describe: late } }),
    ])
    expect(advertised(view)).toEqual(['backend1_x -> backend1/x'])
    expect(findingsOf(view, 'backend-failed')).toMatchObject([{ kind: 'backend', subject: 'backend2' }])
    expect(view.report.counts.backends).toBe(2)
  })

  it('AGG-Q02 fails when every backend does', async () => {
    const view = aggregate([down('a'), down('b')])
    await expect(view).rejects.toBeInstanceOf(BackendUnavailable)
    await expect(view).rejects.toThrow('no backends returned capabilities')
  })

  // Better than the reference, which fails: a gateway without backends may have composite tools, or get backends later.
  it('AGG-Q02 answers an empty view when no backend is configured', async () => {
    const view = await aggregate([])
    expect(view.tools.size).toBe(0)
    expect(view.report.counts).toEqual({ backends: 0, tools: 0, resources: 0, templates: 0, prompts: 0 })
  })

  it('says so when every backend refused our credentials', async () => {
    const refusing = scriptedBackend('a', {
      client: { describe: () => Promise.reject(new BackendAuthenticationFailed('a')) },
    })
    await expect(aggregate([refusing])).rejects.toBeInstanceOf(BackendAuthenticationFailed)
  })

  it('AGG-Q03 asks no more than ten backends at one time', async () => {
    let running = 0
    let most = 0
    const slow = Array.from({ length: 25 }, (_, index) =>
      scriptedBackend(`b${index}`, {
        client: {
          describe: async () => {
            most = Math.max(most, ++running)
            await Promise.resolve().then(() => Promise.resolve())
            return { capabilities: { tools: {} } }
          },
          listTools: async () => {
            await Promise.resolve()
            running--
            return { items: [toolNamed('x')] }
          },
        },
      }),
    )
    const view = await aggregate(slow)
    expect(view.tools.size).toBe(25)
    expect(most).toBe(10)
  })

  it('AGG-Q06 asks only backends that health serves', async () => {
    const backends = ['b1', 'b2', 'b3', 'b4'].map((id) => scriptedBackend(id, { tools: ['x'] }))
    const view = await aggregate(backends, { health: { serves: (id) => id === 'b1' || id === 'b3' } })
    expect([...view.tools.keys()]).toEqual(['b1_x', 'b3_x'])
  })

  it('fails when no backend is well enough to be asked', async () => {
    const view = aggregate([scriptedBackend('a', { tools: ['x'] })], { health: { serves: () => false } })
    await expect(view).rejects.toMatchObject({ _tag: 'BackendUnavailable', reason: 'unhealthy' })
  })

  it('asks through the circuit breaker, and tells health what it learned', async () => {
    const learned: unknown[] = []
    const view = await aggregate(
      [
        scriptedBackend('a', {
          tools: ['x', 'y'],
          client: { describe: () => Promise.resolve({ capabilities: { tools: {} }, protocolVersion: '2026-07-28' }) },
        }),
        scriptedBackend('b', { tools: ['x'] }),
      ],
      {
        health: {
          guard: (id, call) => (id === 'b' ? Effect.fail(new BackendUnavailable('b', 'circuit-open')) : call),
          learned: (id, facts) => void learned.push([id, facts]),
        },
      },
    )
    expect([...view.tools.keys()]).toEqual(['a_x', 'a_y'])
    expect(learned).toEqual([
      ['a', { offers: { tools: 2, resources: 0, templates: 0, prompts: 0 }, protocolVersion: '2026-07-28' }],
    ])
  })

  it('gives each backend its own deadline for everything together, and cancels what it still does', async () => {
    let aborted = false
    const hanging = scriptedBackend('slow', {
      client: {
        describe: (_identity, options) =>
          new Promise((_resolve, reject) => {
            options?.signal?.addEventListener('abort', () => {
              aborted = true
              reject(new Cancelled())
            })
          }),
      },
    })
    const view = await Effect.runPromise(
      Effect.gen(function* () {
        const aggregator = yield* Aggregator
        const building = yield* Effect.forkChild(aggregator.view(null))
        yield* TestClock.adjust(2000)
        return yield* Fiber.join(building)
      }).pipe(
        Effect.provide(
          aggregatorLayer([hanging, scriptedBackend('fast', { tools: ['x'] })], {
            discoveryTimeoutMs: (id) => (id === 'slow' ? 2000 : 60_000),
          }),
        ),
        Effect.provide(TestClock.layer()),
      ),
    )
    expect([...view.tools.keys()]).toEqual(['fast_x'])
    expect(findingsOf(view, 'backend-failed')[0]?.message).toContain(new BackendTimeout('slow', 2000).message)
    expect(aborted).toBe(true)
  })

  it('hands a backend the forwarded headers and a signal, and never the channel of the client', async () => {
    const seen: (CallOptions | undefined)[] = []
    const backend = scriptedBackend('a', {
      client: {
        describe: (_identity, options) => {
          seen.push(options)
          return Promise.resolve({ capabilities: { tools: {} } })
        },
      },
    })
    const client = { capabilities: {}, answers: 'push', wantsProgress: false, notify: () => undefined } as const
    await aggregate([backend], {}, { options: { client, forwardedHeaders: { 'x-team': 'red' } } })
    expect(seen).toEqual([{ signal: expect.any(AbortSignal), forwardedHeaders: { 'x-team': 'red' } }])
  })

  it('keeps the instructions of each backend', async () => {
    const view = await aggregate([
      scriptedBackend('b', { instructions: 'Ask b.' }),
      scriptedBackend('a', { instructions: 'Ask a.' }),
      scriptedBackend('c'),
    ])
    expect([...view.instructions]).toEqual([
      ['a', 'Ask a.'],
      ['b', 'Ask b.'],
    ])
  })
})

describe('partialFailureMode: fail', () => {
  const setup = { partialFailureMode: 'fail' } as const
  const ok = scriptedBackend('a', { tools: ['x'] })

  it('serves nothing when a backend fails, with the error of that backend', async () => {
    await expect(aggregate([ok, down('b')], setup)).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      backendId: 'b',
    })
  })

  it('serves nothing when one list fails', async () => {
    const half = scriptedBackend('b', {
      tools: ['x'],
      prompts: ['p'],
      client: { listPrompts: () => Promise.reject(new BackendTimeout('b', 5)) },
    })
    await expect(aggregate([ok, half], setup)).rejects.toBeInstanceOf(BackendTimeout)
  })

  it('serves nothing while a backend is not well', async () => {
    const view = aggregate([ok, scriptedBackend('b')], { ...setup, health: { serves: (id) => id === 'a' } })
    await expect(view).rejects.toMatchObject({ backendId: 'b', reason: 'unhealthy' })
  })

  it('serves all when nothing fails', async () => {
    expect([...(await aggregate([ok], setup)).tools.keys()]).toEqual(['a_x'])
  })
})
