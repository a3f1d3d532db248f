import type { RawLine, RawRequest } from '@vmcp/testing'
import { answerText, calledTool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { httpBackend, statelessBackend, stdioBackend, textOf, textResult, tool } from './backends.js'
import { lies } from './lies.js'
import { openGateway } from './open-gateway.js'
import { atOnceMs, isFailure, timed } from './timing.js'

describe('a lying backend', () => {
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

  it.each(lies)('REL-B4 that is stateless, with %s, is called once too', async (_, lie) => {
    const b1 = await statelessBackend([tool('t')], { 'tools/call': lie })
    const client = await (await openGateway({ b1 })).session()
    await client.request('tools/list')
    const { ms, answer } = await timed(client.call('b1_t'))
    expect(isFailure(answer)).toBe(true)
    expect(ms).toBeLessThan(atOnceMs)
    expect(answer.text).not.toMatch(/secret|srv/)
    expect(b1.count('tools/call')).toBe(1)
  })

  it.each(['initialize', 'tools/list'])('REL-B4 to %s costs itself only, at once, whatever its lie', async (method) => {
    const liars = await Promise.all(lies.map(([, lie]) => httpBackend([tool('t')], { [method]: lie })))
    const steady = await httpBackend([tool('t')], { 'tools/call': (request) => request.result(textResult('alive')) })
    const gateway = await openGateway({
      steady,
      ...Object.fromEntries(liars.map((liar, index) => [`liar${index}`, liar])),
    })
    const client = await gateway.session()
    const { ms, answer } = await timed(client.request('tools/list'))
    expect(answer.result['tools']).toMatchObject([{ name: 'steady_t' }])
    expect(ms).toBeLessThan(atOnceMs)
    const refused = await client.call('liar0_t')
    expect(isFailure(refused)).toBe(true)
    const status = await (await fetch(new URL('/status', gateway.url))).text()
    expect(answer.text + refused.text + status).not.toMatch(/secret|srv/)
    expect(JSON.stringify(gateway.log.lines)).not.toMatch(/secret|srv/)
    expect(textOf((await client.call('steady_t')).result)).toBe('alive')
  })

  it.each<[string, (line: RawLine) => void]>([
    ['a result that is a number', (line) => line.result(7)],
    ['a result that is empty', (line) => line.result({})],
    ['an error that is none', (line) => line.process.send({ id: line.message['id'], error: 'secret' })],
    ['a refusal', (line) => line.error({ code: -32602, message: 'secret' })],
    [
      'half of an answer and its end',
      (line) => void line.process.write('{"secret":').then(() => line.process.kill('SIGKILL')),
    ],
  ])('REL-B4 over stdio that greets with %s costs itself only, at once', async (_, greet) => {
    const liar = await stdioBackend([tool('t')], { initialize: greet, 'server/discover': greet })
    const steady = await httpBackend([tool('t')], { 'tools/call': (request) => request.result(textResult('alive')) })
    const gateway = await openGateway({ liar, steady })
    const client = await gateway.session()
    const { ms, answer } = await timed(client.request('tools/list'))
    expect(answer.result['tools']).toMatchObject([{ name: 'steady_t' }])
    expect(ms).toBeLessThan(atOnceMs + 4_000)
    expect(answer.text).not.toContain('secret')
  })

  it.each<[string, (line: RawLine) => void]>([
    ['a result that is a number', (line) => line.result(7)],
    ['an error that is none', (line) => line.process.send({ id: line.message['id'], error: 'secret' })],
    ['content that is a text', (line) => line.result({ content: 'secret' })],
    ['its id as a text', (line) => line.process.send({ id: String(line.message['id']), result: 'secret' })],
    [
      'an answer nested deeply',
      (line) =>
        void line.process.write(
          `{"jsonrpc":"2.0","id":${String(line.message['id'])},"result":${'['.repeat(9_999)}secret\n`,
        ),
    ],
  ])('REL-B4 over stdio with %s is a fixed error at once', async (_, lie) => {
    const liar = await stdioBackend([tool('t'), tool('ok')], {
      'tools/call': (line) => (calledTool(line).name === 'ok' ? line.result(textResult('alive')) : lie(line)),
    })
    const client = await (await openGateway({ liar })).session()
    await client.request('tools/list')
    const { ms, answer } = await timed(client.call('liar_t'))
    expect(isFailure(answer)).toBe(true)
    expect(ms).toBeLessThan(atOnceMs)
    expect(answer.text).not.toContain('secret')
    expect(liar.count('tools/call')).toBe(1)
    expect(textOf((await client.call('liar_ok')).result)).toBe('alive')
  })

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
      (request) =>
        void request.response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`\ufeff${answerText(request, textResult('alive'))}`),
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
