import type { JsonObject } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { calledTool, callStateless } from '@vmcp/testing'
import { describe, expect, it, vi } from 'vitest'
import { httpBackend, requestsOf, statelessBackend, stdioBackend, textOf, textResult, tool } from './backends.js'
import { openGateway } from './open-gateway.js'
import { atOnceMs, soon } from './timing.js'

const requestIdOf = ({ message }: { readonly message: JsonObject }) =>
  (message['params'] as JsonObject | undefined)?.['requestId']

describe('a cancelled call', () => {
  /** A backend whose `slow` tool answers when the test says so. */
  const holding = async () => {
    const held: RawRequest[] = []
    const backend = await httpBackend([tool('slow'), tool('quick')], {
      'tools/call': (request) => {
        if (calledTool(request).name === 'slow') held.push(request)
        else request.result(textResult('quick'))
      },
    })
    return { backend, held }
  }

  it('CASE-24 reaches its backend once, with the id of that hop, in 100 ms, and nobody else', async () => {
    const { backend, held } = await holding()
    const other = await holding()
    const gateway = await openGateway({ b1: backend, b2: other.backend })
    const client = await gateway.session()
    const gone = client.call('b1_slow', {}, { id: 101 })
    const kept = client.call('b2_slow', {}, { id: 102 })
    await vi.waitFor(() => expect([held.length, other.held.length]).toEqual([1, 1]), soon)
    const cancelledAt = performance.now()
    void client.notify('notifications/cancelled', { requestId: 101 })
    await vi.waitFor(() => expect(backend.count('notifications/cancelled')).toBe(1), soon)
    expect(performance.now() - cancelledAt).toBeLessThan(atOnceMs)
    expect(requestsOf(backend, 'notifications/cancelled').map(requestIdOf)).toEqual([held[0]?.message['id']])
    expect(held[0]?.message['id']).not.toBe(101)
    held[0]?.result(textResult('too late'))
    other.held[0]?.result(textResult('kept'))
    expect((await gone).answer).toEqual({})
    expect(textOf((await kept).result)).toBe('kept')
    expect(textOf((await client.call('b1_quick')).result)).toBe('quick')
    expect(backend.count('notifications/cancelled')).toBe(1)
    expect(other.backend.count('notifications/cancelled')).toBe(0)
  })

  it('CASE-24 over stdio reaches the process once, and its late answer is discarded', async () => {
    const held: { message: JsonObject; result(result: unknown): void }[] = []
    const program = await stdioBackend([tool('slow'), tool('quick')], {
      'tools/call': (line) => {
        if (calledTool(line).name === 'slow') held.push(line)
        else line.result(textResult('quick'))
      },
    })
    const client = await (await openGateway({ b1: program })).session()
    const gone = client.call('b1_slow', {}, { id: 'a' })
    await vi.waitFor(() => expect(held).toHaveLength(1), soon)
    await client.notify('notifications/cancelled', { requestId: 'a' })
    await vi.waitFor(() => expect(program.count('notifications/cancelled')).toBe(1), soon)
    held[0]?.result(textResult('too late'))
    expect((await gone).answer).toEqual({})
    expect(textOf((await client.call('b1_quick')).result)).toBe('quick')
    const cancels = program.lines.filter(({ message }) => message['method'] === 'notifications/cancelled')
    expect(cancels.map(requestIdOf)).toEqual([held[0]?.message['id']])
  })

  it('CASE-24 is not held up by a call that waits for its socket', async () => {
    const { backend, held } = await holding()
    const client = await (await openGateway({ b1: backend }, { limits: { maxConnections: 1 } })).session()
    const first = client.call('b1_slow', {}, { id: 1 })
    await vi.waitFor(() => expect(held).toHaveLength(1), soon)
    const second = client.call('b1_slow', {}, { id: 2 })
    await client.request('ping')
    const cancelledAt = performance.now()
    void client.notify('notifications/cancelled', { requestId: 1 })
    await vi.waitFor(() => expect(backend.count('notifications/cancelled')).toBe(1), soon)
    expect(performance.now() - cancelledAt).toBeLessThan(atOnceMs)
    await vi.waitFor(() => expect(held).toHaveLength(2), soon)
    held[1]?.result(textResult('second'))
    expect(textOf((await second).result)).toBe('second')
    await first
  })

  it('CASE-24 of 2026 is cancelled when its client leaves, by closing the request to the backend', async () => {
    let closed = 0
    const held: RawRequest[] = []
    const backend = await statelessBackend([tool('slow')], {
      'tools/call': (request) => {
        held.push(request)
        request.response.on('close', () => (closed += 1))
      },
    })
    const gateway = await openGateway({ b1: backend })
    const leave = new AbortController()
    const params = { name: 'b1_slow', arguments: {} }
    const left = callStateless(gateway.url, 'tools/call', { params, signal: leave.signal }).catch(() => 'left')
    await vi.waitFor(() => expect(held).toHaveLength(1), soon)
    leave.abort()
    await vi.waitFor(() => expect(closed).toBe(1), soon)
    expect(await left).toBe('left')
  })
})

describe('progress', () => {
  const ticking = (count: number) =>
    httpBackend([tool('ticks')], {
      'tools/call': async (request) => {
        const { progressToken } = calledTool(request).meta ?? {}
        for (let progress = 1; progress <= count; progress += 1) {
          request.send({ method: 'notifications/progress', params: { progressToken, progress, total: count } })
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        request.result(textResult(String(progressToken !== undefined)))
      },
    })

  it.each(['p-1', 0])(
    'CASE-25 comes back under the token %j, in order, one by one, before the result',
    async (token) => {
      const client = await (await openGateway({ b1: await ticking(5) })).session()
      const times: number[] = []
      const answer = await client.request(
        'tools/call',
        { name: 'b1_ticks', arguments: {}, _meta: { progressToken: token } },
        { onMessage: () => times.push(performance.now()) },
      )
      const told = answer.messages.map(({ method, params }) => [
        method,
        (params as JsonObject | undefined)?.['progress'],
      ])
      expect(told).toEqual([...[1, 2, 3, 4, 5].map((n) => ['notifications/progress', n]), [undefined, undefined]])
      const tokens = answer.messages.slice(0, 5).map(({ params }) => (params as JsonObject)['progressToken'])
      expect(tokens).toEqual(Array.from({ length: 5 }, () => token))
      expect((times[5] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(50)
    },
  )

  it('CASE-25 is not sent to a caller that did not ask', async () => {
    const client = await (await openGateway({ b1: await ticking(2) })).session()
    const answer = await client.call('b1_ticks')
    expect(answer.messages).toHaveLength(1)
  })

  it('CASE-25 keeps a call alive past its timeout, until the total ends it', async () => {
    const core = { timeouts: { defaultMs: 200, totalMs: 400 } }
    const client = await (await openGateway({ b1: await ticking(1_000) }, { core })).session()
    const started = performance.now()
    const params = { name: 'b1_ticks', arguments: {}, _meta: { progressToken: 1 } }
    const { result, messages } = await client.request('tools/call', params)
    expect(performance.now() - started).toBeGreaterThan(380)
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(result).toMatchObject({ isError: true })
    expect(messages.length).toBeGreaterThan(5)
  })
})
