import type { RawRequest } from '@vmcp/testing'
import { answerText, calledTool } from '@vmcp/testing'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { httpBackend, requestsOf, stdioBackend, textOf, textResult, tool } from './backends.js'
import { openGateway } from './open-gateway.js'
import { atOnceMs, isFailure, keepCalling, quickMs, soon, timed } from './timing.js'

const echo = { 'tools/call': (request: RawRequest) => request.result(textResult('alive')) }

describe('a backend that dies', () => {
  it('REL-B1 by reset at any point of 200 calls fails each at once and is never called twice', async () => {
    const points: readonly ((request: RawRequest) => void)[] = [
      ({ response }) => response.socket?.resetAndDestroy(),
      ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        setImmediate(() => response.socket?.resetAndDestroy())
      },
      (request) => {
        const whole = answerText(request, textResult('secret'))
        request.response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
        request.response.write(whole.slice(0, 1 + (Number(calledTool(request).input['n']) % (whole.length - 1))))
        setImmediate(() => request.response.socket?.resetAndDestroy())
      },
      (request) => {
        request.send({ method: 'notifications/message', params: { level: 'info', data: 1 } })
        setImmediate(() => request.response.socket?.resetAndDestroy())
      },
    ]
    const frail = await httpBackend([tool('t')], {
      'tools/call': (request) => {
        const n = Number(calledTool(request).input['n'])
        if (n < 0) return request.result(textResult('alive'))
        points[n % points.length]?.(request)
      },
    })
    const gateway = await openGateway({ frail, steady: await httpBackend([tool('t')], echo) })
    const client = await gateway.session()
    const steady = keepCalling(await gateway.session(), 'steady_t')
    await client.call('frail_t', { n: -1 })
    for (let start = 0; start < 200; start += 20) {
      const wave = Array.from({ length: 20 }, (_, index) => timed(client.call('frail_t', { n: start + index })))
      for (const { ms, answer } of await Promise.all(wave)) {
        expect(isFailure(answer)).toBe(true)
        expect(answer.text).not.toContain('secret')
        expect(ms).toBeLessThan(atOnceMs)
      }
    }
    expect(frail.count('tools/call')).toBe(201)
    expect(textOf((await client.call('frail_t', { n: -1 })).result)).toBe('alive')
    expect(await steady.stop()).toBeLessThan(quickMs)
  })

  it('REL-B1 by SIGKILL fails the calls it had at once, once each, and is reborn in 2 s', async () => {
    const frail = await stdioBackend([tool('t'), tool('slow')], {
      'tools/call': (line) => {
        if (calledTool(line).name === 't') line.result(textResult('alive'))
      },
    })
    const gateway = await openGateway({ frail, steady: await httpBackend([tool('t')], echo) })
    const client = await gateway.session()
    const steady = keepCalling(await gateway.session(), 'steady_t')
    await client.call('frail_t')
    const calls = Array.from({ length: 20 }, () => timed(client.call('frail_slow')))
    await vi.waitFor(() => expect(frail.count('tools/call')).toBe(21), soon)
    const killed = performance.now()
    frail.processes[0]?.kill('SIGKILL')
    for (const { answer } of await Promise.all(calls)) expect(isFailure(answer)).toBe(true)
    expect(performance.now() - killed).toBeLessThan(atOnceMs)
    expect(textOf((await client.call('frail_t')).result)).toBe('alive')
    expect(performance.now() - killed).toBeLessThan(2_000)
    expect(frail.processes).toHaveLength(2)
    expect(frail.count('tools/call')).toBe(22)
    expect(await steady.stop()).toBeLessThan(quickMs)
  })
})

describe('a slow backend', () => {
  it('REL-B2 holds up nobody else, and refuses at once what is more than it can hold', async () => {
    const held: RawRequest[] = []
    const slow = await httpBackend([tool('t')], {
      'tools/call': (request) => void held.push(request),
    })
    const others = await Promise.all(Array.from({ length: 9 }, () => httpBackend([tool('t')], echo)))
    const gateway = await openGateway({
      slow,
      ...Object.fromEntries(others.map((other, index) => [`b${index}`, other])),
    })
    const clients = await Promise.all(Array.from({ length: 5 }, () => gateway.session()))
    const [client] = clients
    if (client === undefined) return
    await client.request('tools/list')
    let refused = 0
    const slowCalls = clients.flatMap((own) =>
      Array.from({ length: 60 }, async () => {
        const { ms, answer } = await timed(own.call('slow_t'))
        if (!isFailure(answer)) return 'answered'
        refused += 1
        expect(ms).toBeLessThan(5_000)
        return 'refused'
      }),
    )
    await vi.waitFor(() => expect(held).toHaveLength(64), soon)
    await vi.waitFor(() => expect(refused).toBe(300 - 64 - 64), soon)
    const calling = await Promise.all(
      others.map(async (_, index) => keepCalling(await gateway.session(), `b${index}_t`)),
    )
    await vi.waitFor(() => expect(calling.every(({ times }) => times.length > 20)).toBe(true), soon)
    for (const own of calling) expect(await own.stop()).toBeLessThan(quickMs)
    const answer = (request: RawRequest) => request.result(textResult('late'))
    held.splice(0).forEach(answer)
    await vi.waitFor(() => expect(held).toHaveLength(64), soon)
    held.splice(0).forEach(answer)
    const outcomes = await Promise.all(slowCalls)
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(128)
    expect(slow.count('tools/call')).toBe(128)
  })
})

describe('a hanging backend', () => {
  const breaker = {
    timeouts: { defaultMs: 300 },
    health: { checkIntervalMs: 60_000, circuitBreaker: { failureThreshold: 5, timeoutMs: 1_000 } },
  }

  it('REL-B3 costs the deadline, then nothing while its breaker is open, and one call closes it again', async () => {
    let hangs = true
    const backend = await httpBackend([tool('t')], {
      'tools/call': (request) => (hangs ? undefined : request.result(textResult('alive'))),
    })
    const gateway = await openGateway({ b1: backend }, { core: breaker })
    const client = await gateway.session()
    await client.request('tools/list')
    for (let count = 0; count < 5; count += 1) {
      const { ms, answer } = await timed(client.call('b1_t'))
      expect(isFailure(answer)).toBe(true)
      expect(ms).toBeGreaterThan(290)
      expect(ms).toBeLessThan(300 + 1_000)
    }
    const { ms, answer } = await timed(client.call('b1_t'))
    expect(isFailure(answer)).toBe(true)
    expect(ms).toBeLessThan(200)
    expect(backend.count('tools/call')).toBe(5)
    hangs = false
    await vi.waitFor(async () => expect(textOf((await client.call('b1_t')).result)).toBe('alive'), {
      interval: 100,
      timeout: 20_000,
    })
    expect(backend.count('tools/call')).toBe(6)
  })

  it('REL-B3 that takes connections and says nothing costs the deadline, and the others nothing', async () => {
    const sockets = new Set<Socket>()
    const mute = createServer((socket) => sockets.add(socket))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => mute.close(resolve))
    })
    const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/mcp`
    const places = { mute: { transport: 'streamable-http', url }, b1: await httpBackend([tool('t')], echo) } as const
    const gateway = await openGateway(places, { core: { timeouts: { defaultMs: 300 } } })
    const client = await gateway.session()
    const listed = await timed(client.request('tools/list'))
    expect(listed.answer.result['tools']).toMatchObject([{ name: 'b1_t' }])
    expect(listed.ms).toBeLessThan(300 + 1_000)
    const called = await timed(client.call('b1_t'))
    expect(textOf(called.answer.result)).toBe('alive')
    expect(called.ms).toBeLessThan(quickMs)
  })

  it('REL-B3 that hangs when its lists are asked for again holds up no call to the others', async () => {
    let hangs = false
    const hanging = await httpBackend([], {
      'tools/list': (request) => (hangs ? undefined : request.result({ tools: [tool('t')] })),
    })
    const core = { timeouts: { defaultMs: 10_000 }, aggregation: { cacheTtlMs: 100 } }
    const gateway = await openGateway({ hanging, steady: await httpBackend([tool('t')], echo) }, { core })
    const client = await gateway.session()
    await client.request('tools/list')
    hangs = true
    const lists = hanging.count('tools/list')
    while (hanging.count('tools/list') === lists) {
      const { ms, answer } = await timed(client.call('steady_t'))
      expect(textOf(answer.result)).toBe('alive')
      expect(ms).toBeLessThan(atOnceMs)
    }
    for (let count = 0; count < 20; count += 1) {
      const { ms, answer } = await timed(client.call('steady_t'))
      expect(textOf(answer.result)).toBe('alive')
      expect(ms).toBeLessThan(quickMs)
    }
    expect(hanging.count('tools/list')).toBe(lists + 1)
  })
})

describe('a storm of list changes', () => {
  it('REL-B6 of 1000 a second costs two lists a second at most, and calls go on', async () => {
    let stream: RawRequest | undefined
    const stormy = await httpBackend([tool('t')], {
      ...echo,
      GET: (request) => {
        stream = request
        request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      },
    })
    const gateway = await openGateway({ stormy })
    const client = await gateway.session()
    const stop = new AbortController()
    await client.listen(() => {}, stop.signal)
    await client.request('tools/list')
    await vi.waitFor(() => expect(stream).toBeDefined(), soon)
    const before = requestsOf(stormy, 'tools/list').length
    const calling = keepCalling(client, 'stormy_t')
    const started = performance.now()
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        for (let count = 0; count < 10; count += 1) stream?.send({ method: 'notifications/tools/list_changed' })
        if (performance.now() - started < 3_000) return
        clearInterval(timer)
        resolve()
      }, 10)
    })
    const seconds = (performance.now() - started) / 1_000
    expect(requestsOf(stormy, 'tools/list').length - before).toBeLessThanOrEqual(Math.ceil(2 * seconds) + 2)
    expect(await calling.stop()).toBeLessThan(quickMs)
    stop.abort()
  })
})

describe('ids', () => {
  it('REL-S4 that are equal in one session do not mix two calls up, in 100 sessions', async () => {
    const b1 = await httpBackend([tool('t')], {
      'tools/call': (request) => request.result(textResult(String(calledTool(request).input['text']))),
    })
    const gateway = await openGateway({ b1 })
    const sessions = await Promise.all(Array.from({ length: 100 }, () => gateway.session()))
    const answered = await Promise.all(
      sessions.flatMap((client, index) =>
        ['a', 'b'].map(async (name) => {
          const { result } = await client.call('b1_t', { text: `${index} ${name}` }, { id: 1 })
          return [textOf(result), `${index} ${name}`]
        }),
      ),
    )
    expect(answered).toHaveLength(200)
    for (const [got, expected] of answered) expect(got).toBe(expected)
    const ids = requestsOf(b1, 'tools/call').map(({ message }) => message['id'])
    expect(new Set(ids).size).toBe(200)
  })
})
