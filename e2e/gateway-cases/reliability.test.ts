import type { RawAnswer, RawRequest, RawSession } from '@vmcp/testing'
import { answerText, calledTool } from '@vmcp/testing'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { httpBackend, requestsOf, stdioBackend, textOf, textResult, tool } from './backends.js'
import { openGateway } from './open-gateway.js'

/** The promise is 100 ms; a machine that does other things as well gets more. What goes wrong here waits for a minute. */
const atOnceMs = 2_000
/** 99 of 100 calls of a backend that is well. */
const quickMs = 1_000

const soon = { interval: 5, timeout: 5_000 }
const echo = { 'tools/call': (request: RawRequest) => request.result(textResult('alive')) }

/** How long a call took, and what came of it. */
async function timed(call: Promise<RawAnswer>): Promise<{ readonly ms: number; readonly answer: RawAnswer }> {
  const started = performance.now()
  const answer = await call
  return { ms: performance.now() - started, answer }
}

function isFailure({ result, error }: RawAnswer): boolean {
  return error !== undefined || result['isError'] === true
}

/** Calls a tool again and again, one call at a time, until it is stopped. */
function keepCalling(client: RawSession, name: string) {
  const times: number[] = []
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      const { ms, answer } = await timed(client.call(name))
      expect(textOf(answer.result)).toBe('alive')
      times.push(ms)
    }
  })()
  return {
    times,
    stop: async () => {
      stopped = true
      await running
      return times.sort((left, right) => left - right)[Math.floor(times.length * 0.99)] ?? 0
    },
  }
}

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
        expect(ms).toBeLessThan(2_000)
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
      timeout: 5_000,
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
})

describe('a lying backend', () => {
  const json = { 'content-type': 'application/json' }
  const raw =
    (body: string | Buffer, headers: Readonly<Record<string, string>> = json, status = 200) =>
    ({ response }: RawRequest) =>
      void response.writeHead(status, headers).end(body)
  const invalid = [
    '[1,]',
    '{"a":1 "b":2}',
    '[',
    '{"a',
    '\ufeff{',
    '[1e]',
    '"\\u00"',
    'nul',
    '{"a":1}x',
    '\u0000',
    "{'a':1}",
  ]

  const lies: readonly (readonly [string, (request: RawRequest) => void])[] = [
    ...invalid.map((text) => [`the text ${JSON.stringify(text)}`, raw(`${text}secret`)] as const),
    ['a wrong id', (request) => request.json(200, { jsonrpc: '2.0', id: 'x', result: textResult('secret') })],
    [
      'a wrong id in a stream',
      (request) => {
        request.send({ id: 'x', result: textResult('secret') })
        request.response.end()
      },
    ],
    ['bad UTF-8', raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))],
    ['204', raw('', {}, 204)],
    ['a redirect to nowhere', raw('secret', { location: 'http://127.0.0.1:9/secret' }, 302)],
    ['500 with a stack trace', raw('Error: secret at /srv/secret.js:1', json, 500)],
    ['500 with a JSON-RPC error', (request) => request.error(500, { code: -32000, message: 'secret at /srv' })],
    ['503 in HTML', raw('<h1>secret</h1>', { 'content-type': 'text/html' }, 503)],
    [
      'an error that is none',
      (request) => request.json(200, { jsonrpc: '2.0', id: request.message['id'], error: 'secret' }),
    ],
    ['a result that is a number', (request) => request.result(7)],
    ['content that is a text', (request) => request.result({ content: 'secret' })],
    [
      '10 000 events that are none',
      ({ response }) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: secret\n\n'.repeat(10_000)),
    ],
  ]

  it.each(lies)(
    'REL-B4 with %s is a fixed error at once, after one attempt, and nothing of it is read',
    async (_, lie) => {
      let lies = true
      const b1 = await httpBackend([tool('t')], {
        'tools/call': (request) => (lies ? lie(request) : request.result(textResult('alive'))),
      })
      const client = await (await openGateway({ b1 })).session()
      await client.request('tools/list')
      const { ms, answer } = await timed(client.call('b1_t'))
      expect(isFailure(answer)).toBe(true)
      expect(ms).toBeLessThan(atOnceMs)
      expect(answer.text).not.toMatch(/secret|srv/)
      expect(answer.text.length).toBeLessThan(600)
      expect(b1.count('tools/call')).toBe(1)
      lies = false
      expect(textOf((await client.call('b1_t')).result)).toBe('alive')
    },
  )

  it.each<[string, (request: RawRequest) => void]>([
    [
      'two answers',
      (request) => {
        request.send({ id: request.message['id'], result: textResult('alive') })
        request.send({ id: request.message['id'], result: textResult('second') })
        request.response.end()
      },
    ],
    [
      'junk after its answer',
      (request) => {
        request.send({ id: request.message['id'], result: textResult('alive') })
        request.response.end('data: {"junk"\n\nevent: x\ndata')
      },
    ],
    [
      'a byte order mark before it',
      (request) => void request.response.writeHead(200, json).end(`\ufeff${answerText(request, textResult('alive'))}`),
    ],
    [
      '103 before it',
      (request) => {
        request.response.writeEarlyHints({ link: '</x>; rel=preload' })
        request.result(textResult('alive'))
      },
    ],
  ])('REL-B4 with %s has answered once', async (_, act) => {
    const client = await (await openGateway({ b1: await httpBackend([tool('t')], { 'tools/call': act }) })).session()
    const { messages, result } = await client.call('b1_t')
    expect(messages).toHaveLength(1)
    expect(textOf(result)).toBe('alive')
  })

  it('REL-B4 whose stream is cut anywhere fails or has answered, at once and after one attempt', async () => {
    const streamOf = (request: RawRequest) =>
      [
        { method: 'notifications/message', params: { level: 'info', data: 1 } },
        { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
        { id: request.message['id'], result: textResult('alive') },
      ]
        .map((message) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
        .join('')
    const b1 = await httpBackend([tool('t')], {
      'tools/call': (request) => {
        request.response.writeHead(200, { 'content-type': 'text/event-stream' })
        request.response.write(streamOf(request).slice(0, Number(calledTool(request).input['at'])), () =>
          request.response.destroy(),
        )
      },
    })
    const client = await (await openGateway({ b1 })).session()
    await client.request('tools/list')
    const points = Array.from({ length: 320 }, (_, at) => at + 1)
    for (let start = 0; start < points.length; start += 40) {
      const wave = points.slice(start, start + 40).map((at) => timed(client.call('b1_t', { at })))
      for (const { ms, answer } of await Promise.all(wave)) {
        expect(isFailure(answer) || textOf(answer.result) === 'alive').toBe(true)
        expect(ms).toBeLessThan(atOnceMs)
      }
    }
    expect(b1.count('tools/call')).toBe(points.length)
  })
})

describe('giant answers', () => {
  const megabyte = 1024 * 1024
  const sized = (bytes: number) => (request: RawRequest) => {
    const frame = answerText(request, textResult('')).length
    request.result(textResult('x'.repeat(bytes - frame)))
  }
  const deep = (levels: number) => (request: RawRequest) => {
    const inner = `${'['.repeat(levels)}${']'.repeat(levels)}`
    const body = `{"jsonrpc":"2.0","id":${String(request.message['id'])},"result":{"content":[],"structuredContent":{"a":${inner}}}}`
    request.response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  const wide = (keys: number) => (request: RawRequest) => {
    const inner = Array.from({ length: keys }, (_, key) => `"k${key}":1`).join(',')
    const body = `{"jsonrpc":"2.0","id":${String(request.message['id'])},"result":{"content":[],"structuredContent":{${inner}}}}`
    request.response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }

  it.each<[string, (request: RawRequest) => void, boolean]>([
    ['of exactly the limit passes', sized(10 * megabyte), true],
    ['of one byte more fails', sized(10 * megabyte + 1), false],
    ['of 128 levels passes', deep(128 - 3), true],
    ['of 129 levels fails', deep(128 - 2), false],
    ['of a million levels fails', deep(1_000_000), false],
    ['of 500 000 keys passes', wide(500_000), true],
  ])('REL-B5 %s', async (_, act, passes) => {
    const b1 = await httpBackend([tool('big'), tool('t')], {
      'tools/call': (request) =>
        calledTool(request).name === 't' ? request.result(textResult('alive')) : act(request),
    })
    const client = await (await openGateway({ b1 })).session()
    await client.request('tools/list')
    const { answer } = await timed(client.call('b1_big'))
    expect(isFailure(answer)).toBe(!passes)
    if (!passes) expect(answer.text.length).toBeLessThan(600)
    expect(b1.count('tools/call')).toBe(1)
    expect(textOf((await client.call('b1_t')).result)).toBe('alive')
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
