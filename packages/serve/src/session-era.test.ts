import {
  AuthorizationDenied,
  BackendRejected,
  BackendTimeout,
  Identity,
  NotFound,
  RateLimited,
  text,
} from '@vmcp/domain'
import type { CallOptions, VmcpEvent, VmcpEvents } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { deferred } from './testing/deferred.js'
import { startServer } from './testing/start-server.js'
import type { Json } from './testing/wire.js'
import { eventsOf, messagesOf, next, openSession, post, rpc } from './testing/wire.js'

describe('initialize', () => {
  it('SRV-S014 opens a session and announces what is served', async () => {
    const server = await startServer({}, { events: silentEvents(), instructions: 'Ask nicely.' })
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }

    const response = await post(server, rpc('initialize', params))

    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]+$/)
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: {
          logging: {},
          completions: {},
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
        },
        serverInfo: { name: 'vmcp', version: '1.0.0' },
        instructions: 'Ask nicely.',
      },
    })
  })

  it('announces no changes when nothing tells of them', async () => {
    const response = await post(await startServer(), rpc('initialize', { protocolVersion: '2025-11-25' }))

    const { result } = (await response.json()) as Json
    expect(result.capabilities).toEqual({ logging: {}, completions: {}, tools: {}, resources: {}, prompts: {} })
  })

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('answers a client of %s with %s', async (requested, answered) => {
    const response = await post(await startServer(), rpc('initialize', { protocolVersion: requested }))

    expect(((await response.json()) as Json).result.protocolVersion).toBe(answered)
  })

  it('is refused without a protocol version, and inside a session', async () => {
    const server = await startServer()
    const session = await openSession(server)

    const bare = await post(server, rpc('initialize'))
    expect(await bare.json()).toMatchObject({ error: { code: -32602 } })
    const again = await session.send({ id: 9, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ id: 9, error: { code: -32600 } })
  })

  it('is refused with 503 and Retry-After when there are too many sessions', async () => {
    const server = await startServer({}, { sessions: { max: 1 } })
    await openSession(server)

    const response = await post(server, rpc('initialize', { protocolVersion: '2025-11-25' }))

    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('10')
    expect(response.headers.get('mcp-session-id')).toBeNull()
  })
})

describe('a session', () => {
  it('SRV-S015 ends by DELETE, and is unknown afterwards', async () => {
    const server = await startServer()
    const session = await openSession(server)

    expect((await fetch(server.url, { method: 'DELETE', headers: session.headers })).status).toBe(200)

    const after = await session.send({ id: 'x', method: 'tools/list' })
    expect(after.status).toBe(404)
    expect(await after.json()).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32001, message: 'Session not found' },
    })
  })

  it('is required for everything but initialize', async () => {
    const response = await post(await startServer(), rpc('tools/list'))

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32600 } })
  })

  it('SRV-S026 SRV-S020 is nobody else’s: call, stream and end are refused alike, and the owner goes on', async () => {
    // The reference ends the session and answers isError. A stolen id must not be a way to end it (REL-S3), and a
    // foreign session must look like none.
    const called: unknown[] = []
    const server = await startServer(
      { listTools: async (identity) => (called.push(identity), []) },
      { incomingAuth: byToken },
    )
    const alice = await openSession(server, { headers: { authorization: 'alice' } })
    const asEve = { ...alice.headers, authorization: 'eve' }
    const asNobody = { ...alice.headers, authorization: '' }

    for (const headers of [asEve, asNobody]) {
      const call = await post(server, rpc('tools/list'), headers)
      expect(call.status).toBe(404)
      expect(await call.text()).not.toContain(alice.id)
      expect((await fetch(server.url, { headers: { ...headers, accept: 'text/event-stream' } })).status).toBe(404)
      expect((await fetch(server.url, { method: 'DELETE', headers })).status).toBe(404)
    }
    expect(called).toEqual([])
    expect((await alice.request('tools/list')).result.tools).toEqual([])
  })

  it('refuses a protocol version that it does not speak', async () => {
    const server = await startServer()
    const session = await openSession(server)

    expect((await post(server, rpc('ping'), { ...session.headers, 'mcp-protocol-version': '2024-01-01' })).status).toBe(
      400,
    )
  })

  it('answers ping, and takes notifications and late responses with 202', async () => {
    const session = await openSession(await startServer())

    expect((await session.request('ping')).result).toEqual({})
    expect((await session.send({ method: 'notifications/initialized' })).status).toBe(202)
    expect((await session.send({ id: 'vmcp-99', result: {} })).status).toBe(202)
  })

  it('answers an unknown method with -32601', async () => {
    const session = await openSession(await startServer())

    expect(await session.request('tasks/list')).toMatchObject({ error: { code: -32601 } })
  })

  it('REL-S4 answers both of two calls that run with one id', async () => {
    const both = deferred()
    let running = 0
    const server = await startServer({
      callTool: async (_identity, { name }) => {
        running += 1
        if (running === 2) both.resolve()
        await both.promise
        return { content: [text(name)] }
      },
    })
    const session = await openSession(server)

    const answers = await Promise.all(['one', 'two'].map((name) => session.request('tools/call', { name }, 7)))

    expect(answers.map((answer) => answer.result.content[0].text)).toEqual(['one', 'two'])
  })
})

describe('tools/call in a session', () => {
  it('passes arguments and meta on, and the result back, without the backend', async () => {
    const seen: unknown[] = []
    const server = await startServer({
      callTool: async (_identity, request) => {
        seen.push(request)
        return {
          content: [{ type: 'hologram', depth: 3, meta: { a: 1 } }],
          structuredContent: { n: 1 },
          futureField: true,
          meta: { traceparent: '00-1', 'io.modelcontextprotocol/serverInfo': { name: 'forged' } },
          backendId: 'secret-backend',
        }
      },
    })
    const session = await openSession(server)

    const answer = await session.request('tools/call', {
      name: 'echo',
      arguments: { __proto__: null, value: 1 },
      _meta: { traceparent: '00-0', progressToken: 'p' },
    })

    expect(seen).toEqual([{ name: 'echo', arguments: { value: 1 }, meta: { traceparent: '00-0' } }])
    expect(answer.result).toEqual({
      content: [{ type: 'hologram', depth: 3, _meta: { a: 1 } }],
      structuredContent: { n: 1 },
      futureField: true,
      _meta: { traceparent: '00-1' },
    })
  })

  it('REL-H6 keeps a hostile key as plain data', async () => {
    const seen: Json[] = []
    const server = await startServer({ callTool: async (_identity, request) => (seen.push(request), { content: [] }) })
    const session = await openSession(server)
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"__proto__":{"polluted":1}}}}'

    await (await post(server, body, session.headers)).text()

    expect(Object.keys(seen[0].arguments)).toEqual(['__proto__'])
    expect(({} as Json).polluted).toBeUndefined()
  })

  it('wraps structured content that is no object, as 2025-11-25 has objects only', async () => {
    const session = await openSession(
      await startServer({ callTool: async () => ({ content: [], structuredContent: [1, 2] }) }),
    )

    expect((await session.request('tools/call', { name: 'list' })).result).toEqual({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: { result: [1, 2] },
    })
  })

  it('SRV-S032 answers an unknown tool with 200 and -32602', async () => {
    const session = await openSession(await startServer())

    const response = await session.send({ id: 1, method: 'tools/call', params: { name: 'unknown-tool' } })

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ error: { code: -32602, message: 'unknown tool: unknown-tool' } })
  })

  it('answers a denial, a limit and a failed backend as results a model can read', async () => {
    const failures: Record<string, Error> = {
      denied: new AuthorizationDenied('call'),
      limited: new RateLimited(5),
      late: new BackendTimeout('files', 30_000),
    }
    const session = await openSession(
      await startServer({ callTool: (_identity, { name }) => Promise.reject(failures[name]) }),
    )
    const call = async (name: string) => (await session.request('tools/call', { name })).result

    expect(await call('denied')).toEqual({
      content: [{ type: 'text', text: 'call denied by authorization policy' }],
      isError: true,
    })
    expect(await call('limited')).toMatchObject({
      isError: true,
      structuredContent: { code: 429, message: 'Rate limit exceeded', data: { retryAfterSeconds: 5 } },
    })
    expect(await call('late')).toMatchObject({
      isError: true,
      content: [{ text: 'backend timed out: files (30000 ms)' }],
    })
  })

  it('answers arguments that are no object as a result with isError', async () => {
    const session = await openSession(await startServer())

    expect((await session.request('tools/call', { name: 't', arguments: 'text' })).result).toEqual({
      content: [{ type: 'text', text: 'invalid input: arguments must be object, got string' }],
      isError: true,
    })
  })

  it('relays a backend’s own error exactly, and hides what is not ours', async () => {
    const failures: Record<string, Error> = {
      rejected: new BackendRejected('files', { code: -32055, message: 'no such row', data: { row: 7 } }),
      broken: new TypeError('secret detail'),
    }
    const session = await openSession(
      await startServer({ callTool: (_identity, { name }) => Promise.reject(failures[name]) }),
    )

    expect((await session.request('tools/call', { name: 'rejected' })).error).toEqual({
      code: -32055,
      message: 'no such row',
      data: { row: 7 },
    })
    expect((await session.request('tools/call', { name: 'broken' })).error).toEqual({
      code: -32603,
      message: 'internal error',
    })
  })
})

describe('the other verbs in a session', () => {
  it('read, get and complete', async () => {
    const server = await startServer({
      readResource: async (_identity, { uri }) => ({ contents: [{ uri, text: 'hi', meta: { a: 1 } }], backendId: 'b' }),
      getPrompt: async () => ({ messages: [{ role: 'user', content: text('hello') }], description: 'd' }),
      complete: async () => ({ values: ['one'], total: 1 }),
    })
    const session = await openSession(server)

    expect((await session.request('resources/read', { uri: 'file:///a' })).result).toEqual({
      contents: [{ uri: 'file:///a', text: 'hi', _meta: { a: 1 } }],
    })
    expect((await session.request('prompts/get', { name: 'p', arguments: { a: 'x' } })).result).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
      description: 'd',
    })
    const ref = { type: 'ref/prompt', name: 'p' }
    expect((await session.request('completion/complete', { ref, argument: { name: 'a', value: 'o' } })).result).toEqual(
      { completion: { values: ['one'], total: 1 } },
    )
  })

  it('answer a missing resource with -32002 and a denied one with 403', async () => {
    const server = await startServer({
      readResource: async (_identity, { uri }) =>
        Promise.reject(uri === 'file:///secret' ? new AuthorizationDenied('read') : new NotFound('resource', uri)),
    })
    const session = await openSession(server)

    expect((await session.request('resources/read', { uri: 'file:///none' })).error).toEqual({
      code: -32002,
      message: 'Resource not found: file:///none',
      data: { uri: 'file:///none' },
    })
    const denied = await session.send({ id: 1, method: 'resources/read', params: { uri: 'file:///secret' } })
    expect(denied.status).toBe(403)
    expect(await denied.json()).toMatchObject({ error: { code: 403, message: 'read denied by authorization policy' } })
  })

  it('page lists of more than 1000 and refuse a cursor that is not theirs', async () => {
    const tools = Array.from({ length: 1005 }, (_, index) => ({
      name: `tool-${String(index).padStart(4, '0')}`,
      inputSchema: { type: 'object' },
    }))
    const session = await openSession(await startServer({ listTools: async () => tools }))

    const first = (await session.request('tools/list')).result
    const second = (await session.request('tools/list', { cursor: first.nextCursor })).result

    expect([first.tools.length, second.tools.length]).toEqual([1000, 5])
    expect(second.nextCursor).toBeUndefined()
    expect((await session.request('tools/list', { cursor: 'bogus' })).error.code).toBe(-32602)
  })
})

describe('cancelling in a session', () => {
  it('aborts the call with that id and sends no answer', async () => {
    const started = deferred<AbortSignal>()
    const server = await startServer({
      callTool: (_identity, _request, options) => {
        started.resolve(options!.signal!)
        return new Promise(() => {})
      },
    })
    const session = await openSession(server)
    const running = session.send({ id: 5, method: 'tools/call', params: { name: 'slow' } })
    const signal = await started.promise

    await session.send({ method: 'notifications/cancelled', params: { requestId: 5 } })

    expect(signal.aborted).toBe(true)
    expect(await messagesOf(await running)).toEqual([])
  })

  it('is not what a lost connection means', async () => {
    const started = deferred<AbortSignal>()
    const release = deferred()
    const finished = deferred<boolean>()
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        started.resolve(options!.signal!)
        await release.promise
        finished.resolve(options!.signal!.aborted)
        return { content: [] }
      },
    })
    const session = await openSession(server)
    const connection = new AbortController()
    const lost = fetch(server.url, {
      method: 'POST',
      body: rpc('tools/call', { name: 'slow' }),
      headers: {
        ...session.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      signal: connection.signal,
    }).catch(() => 'lost')
    await started.promise
    connection.abort()
    await lost
    release.resolve()

    expect(await finished.promise).toBe(false)
  })
})

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

describe('the stream of a session', () => {
  it('brings list changes and the updates of subscribed resources', async () => {
    const { events, emit } = scriptedEvents()
    const server = await startServer({ lookupResource: async (_identity, uri) => ({ uri, name: 'r' }) }, { events })
    const session = await openSession(server)
    const stream = await listen(server.url, session.headers)
    expect((await session.request('resources/subscribe', { uri: 'file:///a' })).result).toEqual({})

    emit({ type: 'list-changed', list: 'tools' })
    emit({ type: 'resource-updated', uri: 'file:///b' })
    emit({ type: 'resource-updated', uri: 'file:///a' })

    expect(await next(stream)).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} })
    expect(await next(stream)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'file:///a' },
    })
    await session.request('resources/unsubscribe', { uri: 'file:///a' })
    emit({ type: 'resource-updated', uri: 'file:///a' })
    emit({ type: 'list-changed', list: 'prompts' })
    expect(await next(stream)).toMatchObject({ method: 'notifications/prompts/list_changed' })
  })

  it('is subscribed for nobody once the session ends', async () => {
    const { events, listeners } = scriptedEvents()
    const server = await startServer({}, { events })
    const session = await openSession(server)
    const stream = await listen(server.url, session.headers)
    expect(listeners.size).toBe(1)

    await fetch(server.url, { method: 'DELETE', headers: session.headers })

    expect(await next(stream)).toBeUndefined()
    expect(listeners.size).toBe(0)
  })

  it('refuses to subscribe to what the caller may not read', async () => {
    const session = await openSession(await startServer({}, { events: silentEvents() }))

    expect(await session.request('resources/subscribe', { uri: 'file:///none' })).toMatchObject({
      error: { code: -32002 },
    })
  })

  it('SRV-H010 shows a sign of life while nothing happens', async () => {
    const server = await startServer({}, { limits: { streamKeepAliveMs: 5 } })
    const session = await openSession(server)

    const response = await fetch(server.url, { headers: { ...session.headers, accept: 'text/event-stream' } })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes(': keep-alive')) seen += (await reader.read()).value ?? ''

    expect(seen).toContain(': keep-alive\n\n')
    await reader.cancel()
  })

  it('resumes after the last event that its client saw, and replays no other stream', async () => {
    const { events, emit } = scriptedEvents()
    const server = await startServer({}, { events })
    const session = await openSession(server)
    const connection = new AbortController()
    const first = await fetch(server.url, {
      headers: { ...session.headers, accept: 'text/event-stream' },
      signal: connection.signal,
    })
    const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader()
    const primed = (await reader.read()).value ?? ''
    const id = /^id: (.+)$/m.exec(primed)?.[1] ?? ''
    connection.abort()
    emit({ type: 'list-changed', list: 'tools' })

    const resumed = await listen(server.url, { ...session.headers, 'last-event-id': id })

    expect(await next(resumed)).toMatchObject({ method: 'notifications/tools/list_changed' })
    emit({ type: 'list-changed', list: 'prompts' })
    expect(await next(resumed)).toMatchObject({ method: 'notifications/prompts/list_changed' })
  })

  it('gives the answer of a call whose connection was lost to the client that resumes', async () => {
    const lost = deferred()
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        options!.client!.notify({ type: 'log', level: 'info', data: 'started' })
        await lost.promise
        return { content: [text('late')] }
      },
    })
    const session = await openSession(server)
    const connection = new AbortController()
    const call = await fetch(server.url, {
      method: 'POST',
      body: rpc('tools/call', { name: 'slow' }, 3),
      headers: {
        ...session.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      signal: connection.signal,
    })
    const reader = call.body!.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('started')) seen += (await reader.read()).value ?? ''
    const id = [...seen.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? ''
    connection.abort()
    lost.resolve()

    const resumed = await listen(server.url, { ...session.headers, 'last-event-id': id })

    expect(await next(resumed)).toMatchObject({ id: 3, result: { content: [{ text: 'late' }] } })
    expect(await next(resumed)).toBeUndefined()
  })
})

const byToken = {
  authenticate: async ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) => {
    const subject = headers['authorization']
    const identity = subject ? new Identity({ issuer: 'https://idp.example', subject }) : null
    return { outcome: 'authenticated', identity } as const
  },
}

async function listen(url: string, headers: Readonly<Record<string, string>>): Promise<AsyncGenerator<Json>> {
  return eventsOf(await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } }))
}

function silentEvents(): VmcpEvents {
  return { subscribe: () => () => {} }
}

function scriptedEvents() {
  const listeners = new Set<(event: VmcpEvent) => void>()
  const events: VmcpEvents = {
    subscribe: (_identity, listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return { events, listeners, emit: (event: VmcpEvent) => listeners.forEach((listener) => listener(event)) }
}
