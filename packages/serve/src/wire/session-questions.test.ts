import type { CallOptions } from '@vmcp/domain'
import { text } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { startServer } from '../testing/start-server.js'
import type { Json } from '../testing/wire.js'
import { eventsOf, messagesOf, next, openSession } from '../testing/wire.js'

describe('during a call in a session', () => {
  it('progress and log messages precede the result on the call’s own stream', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        const client = options!.client!
        client.notify({ type: 'progress', progress: 1, total: 2, message: 'half' })
        client.notify({ type: 'progress', progress: 1, total: 2 })
        client.notify({ type: 'log', level: 'debug', data: 'too fine' })
        client.notify({ type: 'log', level: 'warning', logger: 'files', data: { disk: 'full' } })
        return { content: [] }
      },
    })
    const session = await openSession(server)

    const response = await session.send({
      id: 1,
      method: 'tools/call',
      params: { name: 't', _meta: { progressToken: 'mine' } },
    })

    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await messagesOf(response)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'mine', progress: 1, total: 2, message: 'half' },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'warning', logger: 'files', data: { disk: 'full' } },
      },
      { jsonrpc: '2.0', id: 1, result: { content: [] } },
    ])
  })

  it('log messages follow the level of the session, and progress needs a token', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        options!.client!.notify({ type: 'progress', progress: 1 })
        options!.client!.notify({ type: 'log', level: 'debug', data: 'fine' })
        return { content: [text(String(options!.client!.wantsProgress))] }
      },
    })
    const session = await openSession(server)
    expect(await session.request('logging/setLevel', { level: 'loud' })).toMatchObject({ error: { code: -32602 } })
    expect((await session.request('logging/setLevel', { level: 'debug' })).result).toEqual({})

    const messages = await messagesOf(await session.send({ id: 2, method: 'tools/call', params: { name: 't' } }))

    expect(messages.map(({ method }) => method)).toEqual(['notifications/message', undefined])
    expect(messages[1].result.content[0].text).toBe('false')
  })

  it('an elicitation by URL is reported complete on the call’s stream, and after the call on the session’s', async () => {
    let tell = (_elicitationId: string) => {}
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        tell = (elicitationId) => options!.client!.notify({ type: 'elicitation-complete', elicitationId })
        tell('during')
        return { content: [] }
      },
    })
    const session = await openSession(server, { capabilities: { elicitation: { url: {} } } })
    const changes = eventsOf(await fetch(server.url, { headers: { ...session.headers, accept: 'text/event-stream' } }))

    const messages = await messagesOf(await session.send({ id: 1, method: 'tools/call', params: { name: 't' } }))
    tell('after')

    const method = 'notifications/elicitation/complete'
    expect(messages[0]).toEqual({ jsonrpc: '2.0', method, params: { elicitationId: 'during' } })
    expect(await next(changes)).toEqual({ jsonrpc: '2.0', method, params: { elicitationId: 'after' } })
  })

  it('a client that opens no URLs hears of no completion', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        options!.client!.notify({ type: 'elicitation-complete', elicitationId: 'e1' })
        return { content: [] }
      },
    })
    const session = await openSession(server, { capabilities: { elicitation: {} } })
    const answer = await session.send({ id: 1, method: 'tools/call', params: { name: 't' } })
    expect(await messagesOf(answer)).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [] } }])
  })

  it('the user is asked on the call’s own stream, and answers by a POST', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        const answer = await options!.client!.elicitation!.requestElicitation({
          message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          meta: { 'io.modelcontextprotocol/serverInfo': {}, keep: 1 },
        })
        return { content: [text(JSON.stringify(answer))] }
      },
    })
    const session = await openSession(server, { capabilities: { elicitation: {} } })
    const events = eventsOf(await session.send({ id: 1, method: 'tools/call', params: { name: 'ask' } }))

    const question = await next(events)
    expect(question).toEqual({
      jsonrpc: '2.0',
      id: expect.any(String),
      method: 'elicitation/create',
      params: {
        message: 'Your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        _meta: { keep: 1 },
      },
    })
    await session.send({ id: question.id, result: { action: 'accept', content: { name: 'Ada' } } })

    expect((await next(events)).result.content[0].text).toBe('{"action":"accept","content":{"name":"Ada"}}')
  })

  it('a client that declared nothing is asked nothing', async () => {
    const seen: CallOptions[] = []
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        seen.push(options!)
        await options!.client!.forward!({ method: 'sampling/createMessage', params: {} })
        return { content: [] }
      },
    })
    const session = await openSession(server)

    expect((await session.request('tools/call', { name: 't' })).result).toMatchObject({
      isError: true,
      content: [{ text: 'the client does not support sampling' }],
    })
    expect(seen[0]?.client?.elicitation).toBeUndefined()
    expect(seen[0]?.client?.answers).toBe('push')
  })

  it('a question is withdrawn when its call is cancelled', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        await options!.client!.forward!({ method: 'roots/list' }, { signal: options!.signal! })
        return { content: [] }
      },
    })
    const session = await openSession(server, { capabilities: { roots: {} } })
    const events = eventsOf(await session.send({ id: 1, method: 'tools/call', params: { name: 't' } }))
    const question = await next(events)

    await session.send({ method: 'notifications/cancelled', params: { requestId: 1 } })

    expect(question).toMatchObject({ method: 'roots/list' })
    expect(await next(events)).toBeUndefined()
  })

  it('a result that needs answers is brought to an end by asking, with the state sent back', async () => {
    const seen: Json[] = []
    const server = await startServer({
      callTool: async (_identity, request) => {
        seen.push(request)
        if (request.inputResponses !== undefined) return { content: [text('done')] }
        return {
          resultType: 'input_required',
          inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } } },
          requestState: 'state-1',
        }
      },
    })
    const session = await openSession(server, { capabilities: { elicitation: { form: {} } } })
    const events = eventsOf(await session.send({ id: 1, method: 'tools/call', params: { name: 't' } }))
    const question = await next(events)
    await session.send({ id: question.id, result: { action: 'decline' } })

    expect((await next(events)).result.content[0].text).toBe('done')
    expect(seen[1]).toEqual({
      name: 't',
      inputResponses: { who: { action: 'decline' } },
      requestState: 'state-1',
    })
  })

  it('a result that needs answers again and again ends as an error after ten rounds', async () => {
    let runs = 0
    const server = await startServer({
      callTool: async () => {
        runs += 1
        return { resultType: 'input_required', requestState: String(runs) }
      },
    })
    const session = await openSession(server)

    const { error } = await session.request('tools/call', { name: 't' })

    expect(error).toEqual({ code: -32603, message: 'the call asked for input more than 10 times' })
    expect(runs).toBe(11)
  })

  it('the end of the session rejects what is still asked', async () => {
    const failed = deferred<unknown>()
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        const answer = options!.client!.forward!({ method: 'roots/list' }).catch((error: unknown) => error)
        failed.resolve(await answer)
        return { content: [] }
      },
    })
    const session = await openSession(server, { capabilities: { roots: {} } })
    const events = eventsOf(await session.send({ id: 1, method: 'tools/call', params: { name: 't' } }))
    await next(events)

    await fetch(server.url, { method: 'DELETE', headers: session.headers })

    expect(await failed.promise).toMatchObject({ _tag: 'Cancelled' })
  })
})
