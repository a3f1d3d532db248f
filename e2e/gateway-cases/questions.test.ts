import type { JsonObject } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { calledTool } from '@vmcp/testing'
import { describe, expect, it, vi } from 'vitest'
import { httpBackend, textOf, textResult, tool } from './backends.js'
import { openGateway } from './open-gateway.js'
import { soon } from './timing.js'

describe('a question of a backend', () => {
  const form = { type: 'object', properties: { name: { type: 'string' } } }
  const asking = () =>
    httpBackend([tool('ask')], {
      'tools/call': async (request) => {
        const { who } = calledTool(request).input
        const { result, error } = await request.ask('elicitation/create', {
          message: String(who),
          requestedSchema: form,
        })
        request.result(textResult(JSON.stringify(result ?? { code: (error as JsonObject)['code'] })))
      },
    })
  const elicitation = { capabilities: { elicitation: {} } }

  it('CASE-27 goes to the session of its call, and so does the answer', async () => {
    const gateway = await openGateway({ b1: await asking() })
    const asked: unknown[] = []
    const open = (name: string) =>
      gateway.session({
        ...elicitation,
        onRequest: ({ params }) => {
          asked.push([name, (params as JsonObject)['message']])
          return { result: { action: 'accept', content: { name } } }
        },
      })
    const [ada, bob] = [await open('ada'), await open('bob')]
    const [forAda, forBob] = await Promise.all([
      ada.call('b1_ask', { who: 'Ada?' }),
      bob.call('b1_ask', { who: 'Bob?' }),
    ])
    expect(asked.sort()).toEqual([
      ['ada', 'Ada?'],
      ['bob', 'Bob?'],
    ])
    expect(textOf(forAda.result)).toBe('{"action":"accept","content":{"name":"ada"}}')
    expect(textOf(forBob.result)).toBe('{"action":"accept","content":{"name":"bob"}}')
  })

  it('CASE-27 is declined when its user declines', async () => {
    const gateway = await openGateway({ b1: await asking() })
    const client = await gateway.session({ ...elicitation, onRequest: () => ({ result: { action: 'decline' } }) })
    expect(textOf((await client.call('b1_ask', { who: 'x' })).result)).toBe('{"action":"decline"}')
  })

  it('CASE-27 is an error for the backend when its client cannot be asked', async () => {
    const gateway = await openGateway({ b1: await asking() })
    const client = await gateway.session()
    expect(textOf((await client.call('b1_ask', { who: 'x' })).result)).toBe('{"code":-32601}')
  })

  it('CASE-27 is not answered by another session', async () => {
    const gateway = await openGateway({ b1: await asking() })
    const question: JsonObject[] = []
    const ada = await gateway.session({
      ...elicitation,
      onRequest: (request) => {
        question.push(request)
        return new Promise(() => {})
      },
    })
    const eve = await gateway.session(elicitation)
    const leave = new AbortController()
    let answer: unknown
    const call = ada
      .call('b1_ask', { who: 'Ada?' }, { signal: leave.signal })
      .then(({ result }) => (answer = textOf(result)))
      .catch(() => 'left')
    await vi.waitFor(() => expect(question).toHaveLength(1), soon)
    await fetch(gateway.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': eve.id,
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: question[0]?.['id'],
        result: { action: 'accept', content: { name: 'eve' } },
      }),
    })
    await eve.request('ping')
    expect(answer).toBeUndefined()
    leave.abort()
    expect(await call).toBe('left')
  })

  it('CASE-27 ends with its call when the session of the client ends', async () => {
    let told: JsonObject | undefined
    const backend = await httpBackend([tool('ask')], {
      'tools/call': async (request) => {
        told = await request.ask('elicitation/create', { message: 'x', requestedSchema: form })
      },
    })
    const gateway = await openGateway({ b1: backend })
    let asked = 0
    const client = await gateway.session({
      ...elicitation,
      onRequest: () => {
        asked += 1
        return new Promise(() => {})
      },
    })
    const call = client.call('b1_ask', {}).catch(() => 'left')
    await vi.waitFor(() => expect(asked).toBe(1), soon)
    const headers = { 'mcp-session-id': client.id, 'mcp-protocol-version': '2025-11-25' }
    expect((await fetch(gateway.url, { method: 'DELETE', headers })).ok).toBe(true)
    await call
    await vi.waitFor(
      () => expect(told !== undefined || backend.count('notifications/cancelled') === 1).toBe(true),
      soon,
    )
  })

  it('CASE-27 by URL is relayed, and so is the news that it is done', async () => {
    const question = { mode: 'url', message: 'open', url: 'https://example.com/x', elicitationId: 'e-1' }
    const backend = await httpBackend([tool('ask')], {
      'tools/call': async (request) => {
        const { result } = await request.ask('elicitation/create', question)
        request.send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e-1' } })
        request.result(textResult(JSON.stringify(result)))
      },
    })
    const gateway = await openGateway({ b1: backend })
    const asked: unknown[] = []
    const client = await gateway.session({
      capabilities: { elicitation: { form: {}, url: {} } },
      onRequest: ({ params }) => {
        asked.push(params)
        return { result: { action: 'accept' } }
      },
    })
    const { result, messages } = await client.call('b1_ask')
    expect(asked).toMatchObject([question])
    expect(textOf(result)).toBe('{"action":"accept"}')
    expect(messages).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId: 'e-1' },
    })
  })

  it('CASE-27 by URL that ends its call is relayed, and its end is told to the client that was asked only', async () => {
    const question = { mode: 'url', message: 'open', url: 'https://example.com/x', elicitationId: 'e-1' }
    const error = { code: -32042, message: 'open it first', data: { elicitations: [question] } }
    let stream: RawRequest | undefined
    const backend = await httpBackend([tool('ask')], {
      GET: (request) => {
        stream = request
        request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      },
      'tools/call': (request) => request.error(200, error),
    })
    const gateway = await openGateway({ b1: backend })
    const url = { capabilities: { elicitation: { url: {} } } }
    const [ada, eve] = [await gateway.session(url), await gateway.session(url)]
    const stop = new AbortController()
    const heard: Record<'ada' | 'eve', JsonObject[]> = { ada: [], eve: [] }
    await ada.listen((message) => heard.ada.push(message), stop.signal)
    await eve.listen((message) => heard.eve.push(message), stop.signal)
    expect((await ada.call('b1_ask')).error).toEqual(error)
    await vi.waitFor(() => expect(stream).toBeDefined(), soon)
    stream?.send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e-1' } })
    await vi.waitFor(() => expect(heard.ada).toHaveLength(1), soon)
    await eve.request('ping')
    expect(heard).toMatchObject({ ada: [{ params: { elicitationId: 'e-1' } }], eve: [] })
    stop.abort()
  })
})
