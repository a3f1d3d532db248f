import { BackendUnavailable } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { describe, expect, it } from 'vitest'

import type { HealthListener, HealthShape } from '../health/health.js'
import { whileServed } from './while-served.js'

function healthWith(listeners: Set<HealthListener>): HealthShape {
  return {
    served: () => [],
    statuses: () => [],
    guard: (_, call) => call,
    circuit: () => undefined,
    learned: () => undefined,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    firstRound: Effect.void,
  }
}

describe('whileServed', () => {
  it('leaves a backend that hangs when its health check fails, and stops asking it', async () => {
    const listeners = new Set<HealthListener>()
    let stopped = false
    const hangs = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (stopped = true)))
    const asked = Effect.runPromise(Effect.flip(whileServed(healthWith(listeners), 'b1', hangs)))
    for (const tell of listeners) tell({ backendId: 'b2', serves: false })
    for (const tell of listeners) tell({ backendId: 'b1', serves: true })
    for (const tell of listeners) tell({ backendId: 'b1', serves: false })
    expect(await asked).toEqual(new BackendUnavailable('b1', 'unhealthy', { detail: 'its health check failed' }))
    expect(stopped).toBe(true)
    expect(listeners.size).toBe(0)
  })

  it('hands on an answer and a failure, and listens no longer', async () => {
    const listeners = new Set<HealthListener>()
    expect(await Effect.runPromise(whileServed(healthWith(listeners), 'b1', Effect.succeed('list')))).toBe('list')
    const failure = await Effect.runPromiseExit(whileServed(healthWith(listeners), 'b1', Effect.fail('no')))
    expect(Exit.isFailure(failure)).toBe(true)
    expect(listeners.size).toBe(0)
  })
})
