import { describe, expect, it, vi } from 'vitest'
import type { BackendCallOptions } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { calledTool, done } from '@vmcp/testing'
import type { BackendLimits } from './backend-target.js'
import { backend, sessionBackend } from './test-support/raw-backends.js'

/** A backend that answers calls when the test says so, and whose one socket has a call. */
async function occupiedBackend(limits: BackendLimits) {
  const held: RawRequest[] = []
  const server = await sessionBackend({ 'tools/call': (request) => void held.push(request) })
  const client = backend(server.url, { limits: { maxConnections: 1, ...limits } })
  const call = (name: string, options: BackendCallOptions = {}) => client.callTool(null, { name }, options)
  const first = call('first')
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const answerAll = async (names: readonly string[]) => {
    for (const index of names.keys()) {
      await vi.waitFor(() => expect(held.length).toBeGreaterThan(index))
      held[index]?.result(done)
    }
    expect(held.map((request) => calledTool(request).name)).toEqual(names)
  }
  return { server, client, call, first, answerAll }
}

const busy = { _tag: 'BackendUnavailable', reason: 'unhealthy' }

describe('connectBackend with calls that wait for a socket', () => {
  it('never sends a call that is cancelled while it waits, nor a cancellation of it', async () => {
    const { server, call, first, answerAll } = await occupiedBackend({ maxWaiting: 1 })
    const controller = new AbortController()
    const second = call('second', { signal: controller.signal })
    await expect(call('refused')).rejects.toMatchObject(busy)
    controller.abort()
    await expect(second).rejects.toMatchObject({ _tag: 'Cancelled' })
    const third = call('third')
    await answerAll(['first', 'third'])
    await expect(Promise.all([first, third])).resolves.toEqual([done, done])
    expect(server.count('notifications/cancelled')).toBe(0)
  })

  it('REL-B2 has room again at once when one that waits is cancelled', async () => {
    const { call, first, answerAll } = await occupiedBackend({ maxWaiting: 1 })
    for (let round = 0; round < 3; round += 1) {
      const controller = new AbortController()
      const waiting = call('waiting', { signal: controller.signal })
      await expect(call('refused')).rejects.toMatchObject(busy)
      controller.abort()
      await expect(waiting).rejects.toMatchObject({ _tag: 'Cancelled' })
    }
    const last = call('last')
    await expect(call('refused')).rejects.toMatchObject(busy)
    await answerAll(['first', 'last'])
    await expect(Promise.all([first, last])).resolves.toEqual([done, done])
  })

  it('sends them in the order in which they came, without those that left', async () => {
    const { call, first, answerAll } = await occupiedBackend({ maxWaiting: 4 })
    const controller = new AbortController()
    const calls = [call('a'), call('b', { signal: controller.signal }), call('c'), call('d')] as const
    await expect(call('refused')).rejects.toMatchObject(busy)
    controller.abort()
    await expect(calls[1]).rejects.toMatchObject({ _tag: 'Cancelled' })
    await answerAll(['first', 'a', 'c', 'd'])
    await expect(Promise.all([first, calls[0], calls[2], calls[3]])).resolves.toHaveLength(4)
  })

  it('gives the place of a cancelled call that was sent to the next', async () => {
    const held: RawRequest[] = []
    const server = await sessionBackend({ 'tools/call': (request) => void held.push(request) })
    const client = backend(server.url, { limits: { maxConnections: 1, maxWaiting: 1 } })
    const controller = new AbortController()
    const first = client.callTool(null, { name: 'first' }, { signal: controller.signal })
    await vi.waitFor(() => expect(held).toHaveLength(1))
    const second = client.callTool(null, { name: 'second' })
    controller.abort()
    await expect(first).rejects.toMatchObject({ _tag: 'Cancelled' })
    await vi.waitFor(() => expect(held).toHaveLength(2))
    held[1]?.result(done)
    await expect(second).resolves.toEqual(done)
    await vi.waitFor(() => expect(server.count('notifications/cancelled')).toBe(1))
  })

  it('rejects those that wait when it closes', async () => {
    const { server, client, call, first } = await occupiedBackend({ maxWaiting: 2 })
    const waiting = [call('a'), call('b')]
    await expect(call('refused')).rejects.toMatchObject(busy)
    const failures = Promise.allSettled([first, ...waiting])
    await client.close()
    for (const failure of await failures) expect(failure.status).toBe('rejected')
    expect(server.count('tools/call')).toBe(1)
  })
})
