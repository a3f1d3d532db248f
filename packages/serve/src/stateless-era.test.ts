import {
  AuthorizationDenied,
  BackendRejected,
  BackendUnavailable,
  InvalidRequestState,
  NotFound,
  RateLimited,
  text,
} from '@vmcp/domain'
import type { CallOptions, VmcpEvent, VmcpEvents } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { deferred } from './testing/deferred.js'
import { startServer } from './testing/start-server.js'
import type { Json } from './testing/wire.js'
import { envelope, eventsOf, messagesOf, next, post, rpc, stateless } from './testing/wire.js'

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const clientInfo = 'io.modelcontextprotocol/clientInfo'
const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'vmcp', version: '1.0.0' } }
const tool = { name: 'echo', inputSchema: { type: 'object' } }

describe('a stateless request', () => {
  it('SRV-M034 is served without a session', async () => {
    const response = await stateless(await startServer({ listTools: async () => [tool] }), 'tools/list')

    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [tool], resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: serverInfo },
    })
  })

  it('SRV-M035 to initialize is unknown (deviation: the conformance suite requires 404 for methods that were removed)', async () => {
    const response = await stateless(await startServer(), 'initialize', { protocolVersion: '2025-11-25' })

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: -32601 } })
  })

  it.each([
    ['SRV-M036 only clientInfo and no header', { _meta: { [clientInfo]: {} } }, {}, -32602],
    ['the header and no version in the body', { _meta: { [capabilities]: {} } }, { version: '2026-07-28' }, -32602],
    ['the header and no _meta', {}, { version: '2026-07-28' }, -32602],
    ['SRV-M037 another version in the header', { _meta: envelope() }, { version: '2099-01-01' }, -32020],
    ['SRV-M038 a version nobody speaks', { _meta: { ...envelope(), [version]: '1.0' } }, { version: '1.0' }, -32022],
    [
      // The reference answers -32021; the conformance suite requires -32602 for an incomplete _meta.
      'SRV-M039 no clientCapabilities',
      { _meta: { [version]: '2026-07-28' } },
      { version: '2026-07-28', method: 'tools/call', name: 'echo' },
      -32602,
    ],
    ['SRV-M040 no version header', { _meta: envelope() }, { method: 'tools/call', name: 'echo' }, -32020],
    ['SRV-M040 no Mcp-Method', { _meta: envelope() }, { version: '2026-07-28', name: 'echo' }, -32020],
    [
      'SRV-M040 another Mcp-Method',
      { _meta: envelope() },
      { version: '2026-07-28', method: 'tools/list', name: 'echo' },
      -32020,
    ],
    ['SRV-M040 no Mcp-Name', { _meta: envelope() }, { version: '2026-07-28', method: 'tools/call' }, -32020],
    [
      'SRV-M040 another Mcp-Name in Base64',
      { _meta: envelope() },
      {
        version: '2026-07-28',
        method: 'tools/call',
        name: `=?base64?${Buffer.from('other-tool').toString('base64')}?=`,
      },
      -32020,
    ],
    [
      'an Mcp-Name that is not Base64',
      { _meta: envelope() },
      { version: '2026-07-28', method: 'tools/call', name: '=?base64?%%%?=' },
      -32020,
    ],
  ])('with %s is refused with 400, its id echoed, and nothing is called', async (_what, params, headers, code) => {
    const called: unknown[] = []
    const server = await startServer({ callTool: async () => (called.push(1), { content: [] }) })

    const response = await post(server, rpc('tools/call', { name: 'echo', ...params }, 0), {
      ...('version' in headers && { 'mcp-protocol-version': headers.version }),
      ...('method' in headers && { 'mcp-method': headers.method }),
      ...('name' in headers && { 'mcp-name': headers.name }),
    })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ id: 0, error: { code } })
    expect(called).toEqual([])
  })

  it('SRV-M038 with another version learns which are spoken', async () => {
    const params = { _meta: { ...envelope(), [version]: '1.0' } }

    const response = await post(await startServer(), rpc('tools/list', params), { 'mcp-protocol-version': '1.0' })

    const { error } = (await response.json()) as Json
    expect(error.data.requested).toBe('1.0')
    expect(error.data.supported).toEqual(expect.arrayContaining(['2026-07-28', '2025-11-25']))
  })

  it('takes an Mcp-Name in Base64', async () => {
    const server = await startServer({
      readResource: async (_identity, { uri }) => ({ contents: [{ uri, text: uri }] }),
    })
    const uri = 'file:///größe'

    const response = await stateless(
      server,
      'resources/read',
      { uri },
      {
        'mcp-name': `=?base64?${Buffer.from(uri).toString('base64')}?=`,
      },
    )

    expect(((await response.json()) as Json).result.contents[0].text).toBe(uri)
  })

  it('with a stray Mcp-Method and no other signal needs a session', async () => {
    const response = await post(await startServer(), rpc('tools/list'), { 'mcp-method': 'tools/list' })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32600 } })
  })

  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'roots/list', 'unknown/method', 'constructor'])(
    'SRV-M044 to %s is unknown: 404 and -32601 (deviation for ping, which 2026-07-28 removed)',
    async (method) => {
      const response = await stateless(await startServer(), method)

      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ id: 1, error: { code: -32601 } })
    },
  )

  it('SRV-M043 that is a notification is taken with 202 and goes nowhere', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { _meta: envelope(), progressToken: 1, progress: 1 },
    })

    const response = await post(await startServer(), body, { 'mcp-protocol-version': '2026-07-28' })

    expect(response.status).toBe(202)
    expect(await response.text()).toBe('')
  })

  it('has no GET and no DELETE', async () => {
    const server = await startServer()
    const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' }

    expect((await fetch(server.url, { headers })).status).toBe(405)
    expect((await fetch(server.url, { method: 'DELETE', headers })).status).toBe(405)
  })
})

describe('server/discover', () => {
  it('SRV-M042 announces nothing but completions to a caller who is offered nothing', async () => {
    const [answer] = await messagesOf(await stateless(await startServer(), 'server/discover'))

    expect(answer.result).toMatchObject({
      capabilities: { completions: {} },
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: serverInfo,
    })
    expect(Object.keys(answer.result.capabilities)).toEqual(['completions'])
    expect(answer.result.supportedVersions).toEqual(expect.arrayContaining(['2026-07-28', '2025-11-25']))
  })

  it('announces the kinds a caller is offered, and changes when something tells of them', async () => {
    const server = await startServer(
      { listTools: async () => [tool], listPrompts: async () => [{ name: 'p' }] },
      { events: { subscribe: () => () => {} }, instructions: 'Ask nicely.' },
    )

    const [answer] = await messagesOf(await stateless(server, 'server/discover'))

    expect(answer.result.capabilities).toEqual({
      completions: {},
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
    })
    expect(answer.result.instructions).toBe('Ask nicely.')
  })
})

describe('a stateless call', () => {
  it('SRV-M052 has our serverInfo, whatever a backend says, and no reserved key', async () => {
    const server = await startServer({
      callTool: async () => ({
        content: [text('hi')],
        structuredContent: [1],
        meta: { 'io.modelcontextprotocol/serverInfo': { name: 'forged' }, 'io.modelcontextprotocol/x': 1, keep: 2 },
        backendId: 'b',
      }),
    })

    const [answer] = await messagesOf(await stateless(server, 'tools/call', { name: 't' }))

    expect(answer.result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: [1],
      _meta: { keep: 2, ...serverInfo },
    })
  })

  it.each(['a string', [1, 2, 3]])(
    'SRV-M046 with the arguments %j is refused before anything is called',
    async (given) => {
      const called: unknown[] = []
      const server = await startServer({
        callTool: async () => (called.push(1), { content: [] }),
        getPrompt: async () => (called.push(1), { messages: [] }),
      })

      for (const method of ['tools/call', 'prompts/get']) {
        const response = await stateless(server, method, { name: 'x', arguments: given })
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({ error: { code: -32602 } })
      }
      expect(called).toEqual([])
    },
  )

  it.each([
    [
      'SRV-M047 a denied call',
      new AuthorizationDenied('call'),
      403,
      { code: 403, message: 'call denied by authorization policy' },
    ],
    [
      'SRV-M048 a limit',
      new RateLimited(5),
      200,
      { code: 429, message: 'Rate limit exceeded', data: { retryAfterSeconds: 5 } },
    ],
    [
      'SRV-M054 an unknown or hidden tool',
      new NotFound('tool', 't'),
      400,
      { code: -32602, message: 'unknown tool: t' },
    ],
    [
      'a missing resource',
      new NotFound('resource', 'a:b'),
      400,
      { code: -32602, message: 'Resource not found: a:b', data: { uri: 'a:b' } },
    ],
    [
      'a state that is not ours',
      new InvalidRequestState(),
      400,
      { code: -32602, message: 'invalid or expired requestState' },
    ],
    [
      'a failed backend',
      new BackendUnavailable('b', 'closed'),
      200,
      { code: -32603, message: 'backend unavailable: b (closed)' },
    ],
    [
      'a backend’s own error',
      new BackendRejected('b', { code: -1, message: 'no', data: [1] }),
      200,
      { code: -1, message: 'no', data: [1] },
    ],
    [
      'a backend’s error about its own hop',
      new BackendRejected('b', { code: -32022, message: 'old' }),
      200,
      { code: -32603, message: 'old' },
    ],
    [
      'a backend’s code of the older era',
      new BackendRejected('b', { code: -32002, message: 'gone' }),
      200,
      { code: -32602, message: 'gone' },
    ],
    ['what is not ours', new TypeError('secret detail'), 200, { code: -32603, message: 'internal error' }],
  ])('answers %s', async (_what, failure, status, error) => {
    const response = await stateless(await startServer({ callTool: () => Promise.reject(failure) }), 'tools/call', {
      name: 't',
    })

    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, error })
  })

  it('answers a failed list without detail', async () => {
    const server = await startServer({ listTools: () => Promise.reject(new BackendUnavailable('b', 'closed')) })

    const response = await stateless(server, 'tools/list')

    expect(await response.json()).toMatchObject({ error: { code: -32603, message: 'internal error' } })
  })

  it('is cancelled when its client leaves', async () => {
    const started = deferred<AbortSignal>()
    const server = await startServer({
      callTool: (_identity, _request, options) => {
        started.resolve(options!.signal!)
        return new Promise(() => {})
      },
    })
    const connection = new AbortController()
    const lost = fetch(server.url, {
      method: 'POST',
      body: rpc('tools/call', { name: 't', _meta: envelope() }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 't',
      },
      signal: connection.signal,
    }).catch(() => 'lost')
    const signal = await started.promise
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))

    connection.abort()

    await aborted
    expect(await lost).toBe('lost')
  })

  it('sends log messages only at the level that its request asks for', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        options!.client!.notify({ type: 'log', level: 'info', data: 'detail' })
        options!.client!.notify({ type: 'log', level: 'error', data: 'bad' })
        return { content: [] }
      },
    })
    const level = { 'io.modelcontextprotocol/logLevel': 'warning' }

    const silent = await stateless(server, 'tools/call', { name: 't' })
    expect(silent.headers.get('content-type')).toBe('application/json')
    await silent.text()
    const loud = await stateless(server, 'tools/call', { name: 't', _meta: envelope({}, level) })
    expect(loud.headers.get('x-accel-buffering')).toBe('no')
    const messages = await messagesOf(loud)
    expect(messages.map((message) => message.params?.data)).toEqual(['bad', undefined])
    expect(messages[1].result).toEqual({ resultType: 'complete', content: [], _meta: serverInfo })
  })

  it('never streams to a client that takes JSON only', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        options!.client!.notify({ type: 'progress', progress: 1 })
        return { content: [] }
      },
    })
    const _meta = { ...envelope(), progressToken: 1 }

    const response = await stateless(server, 'tools/call', { name: 't', _meta }, { accept: 'application/json' })

    expect(response.headers.get('content-type')).toBe('application/json')
  })
})

describe('a result that needs answers', () => {
  const pending = {
    resultType: 'input_required',
    inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } } },
    requestState: '',
  } as const

  it('is relayed with its questions and state to a client that can answer', async () => {
    const seen: CallOptions[] = []
    const server = await startServer({
      callTool: async (_identity, _request, options) => (seen.push(options!), pending),
    })

    const [answer] = await messagesOf(
      await stateless(server, 'tools/call', { name: 't', _meta: envelope({ elicitation: {} }) }),
    )

    expect(answer.result).toEqual({ ...pending, _meta: serverInfo })
    expect(seen[0]?.client).toMatchObject({ answers: 'retry', capabilities: { elicitation: { form: true } } })
    expect(seen[0]?.client?.elicitation).toBeUndefined()
  })

  it('SRV-M053 is refused with 400 and -32021 for a client that cannot (400, not 200: SEP-2575)', async () => {
    const response = await stateless(await startServer({ callTool: async () => pending }), 'tools/call', { name: 't' })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: -32021,
        message: 'the client does not support elicitation',
        data: { requiredCapabilities: { elicitation: {} } },
      },
    })
  })

  it('is answered by a retry whose answers and state reach the VMCP', async () => {
    const seen: unknown[] = []
    const server = await startServer({
      getPrompt: async (_identity, request) => (seen.push(request), { messages: [] }),
    })
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } }

    await stateless(server, 'prompts/get', { name: 'p', inputResponses, requestState: '' })

    expect(seen).toEqual([{ name: 'p', meta: expect.anything(), inputResponses, requestState: '' }])
  })

  it.each([{ inputResponses: [] }, { inputResponses: { who: 'text' } }, { requestState: 7 }])(
    'is not answered by %j',
    async (params) => {
      const response = await stateless(await startServer(), 'tools/call', { name: 't', ...params })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: -32602 } })
    },
  )
})

describe('Mcp-Param headers', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      paging: { type: 'object', properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } } },
    },
  }
  const vmcp = {
    lookupTool: async (_identity: unknown, name: string) => ({ name, inputSchema }),
    callTool: async () => ({ content: [] }),
  }

  it.each([
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'größe' }, { 'mcp-param-region': `=?base64?${Buffer.from('größe').toString('base64')}?=` }],
    [{ paging: { size: 42 } }, { 'mcp-param-size': '42.0' }],
    [{}, { 'mcp-param-region': 'ignored' }],
    [{ region: null }, {}],
  ])('that repeat the arguments %j pass', async (given, headers) => {
    const response = await stateless(await startServer(vmcp), 'tools/call', { name: 't', arguments: given }, headers)

    expect(response.status).toBe(200)
  })

  it.each([
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?%?=' }],
    [{ paging: { size: 42 } }, { 'mcp-param-size': '43' }],
  ])('that differ from the arguments %j are refused with 400 and -32020', async (given, headers) => {
    const response = await stateless(await startServer(vmcp), 'tools/call', { name: 't', arguments: given }, headers)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } })
  })
})

describe('pages of a list', () => {
  const many = <Item>(make: (key: string) => Item) =>
    Array.from({ length: 1005 }, (_, index) => make(`k${String(index).padStart(4, '0')}`))

  it.each([
    ['tools/list', 'tools', { listTools: async () => many((name) => ({ name, inputSchema: {} })) }],
    ['resources/list', 'resources', { listResources: async () => many((uri) => ({ uri, name: 'r' })) }],
    [
      'resources/templates/list',
      'resourceTemplates',
      { listResourceTemplates: async () => many((uriTemplate) => ({ uriTemplate, name: 't' })) },
    ],
    ['prompts/list', 'prompts', { listPrompts: async () => many((name) => ({ name })) }],
  ])('SRV-M049 of %s are 1000 long', async (method, member, vmcp) => {
    const server = await startServer(vmcp)

    const [first] = await messagesOf(await stateless(server, method))
    const [second] = await messagesOf(await stateless(server, method, { cursor: first.result.nextCursor }))

    expect([first.result[member].length, second.result[member].length]).toEqual([1000, 5])
    expect(second.result.nextCursor).toBeUndefined()
    expect(second.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
  })

  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it.each([
    '!!!bogus!!!',
    42,
    cursorOf({}),
    cursorOf({ k: 'prompts', l: 'a', d: 1 }),
    cursorOf({ k: 'tools', l: '', d: 1 }),
    cursorOf({ k: 'tools', l: 'a', d: -1 }),
    'x'.repeat(513),
  ])('SRV-M050 do not start at %j', async (cursor) => {
    const response = await stateless(await startServer(), 'tools/list', { cursor })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32602 } })
  })

  it.each([undefined, null, ''])('SRV-M050 start with the first at %j', async (cursor) => {
    const [answer] = await messagesOf(
      await stateless(await startServer({ listTools: async () => [tool] }), 'tools/list', { cursor }),
    )

    expect(answer.result.tools).toEqual([tool])
  })
})

describe('subscriptions/listen', () => {
  const everything = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['file:///a', 'file:///secret'],
  }
  const lookupResource = async (_identity: unknown, uri: string) =>
    uri === 'file:///a' ? { uri, name: 'a' } : Promise.reject(new NotFound('resource', uri))

  it('SRV-M051 is acknowledged with nothing and ends when nothing tells of changes', async () => {
    const response = await stateless(await startServer(), 'subscriptions/listen', { notifications: everything })

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 }
    expect(await messagesOf(response)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: {}, _meta } },
      { jsonrpc: '2.0', id: 1, result: { resultType: 'complete', _meta: { ..._meta, ...serverInfo } } },
    ])
  })

  it('brings what was asked for and may be seen, tagged, until its client leaves', async () => {
    const listeners = new Set<(event: VmcpEvent) => void>()
    const gone = deferred()
    const subscribed: unknown[] = []
    const events: VmcpEvents = {
      subscribe: (_identity, listener, options) => {
        subscribed.push(options?.resources)
        listeners.add(listener)
        return () => {
          listeners.delete(listener)
          gone.resolve()
        }
      },
    }
    const server = await startServer({ lookupResource }, { events })
    const stream = eventsOf(
      await stateless(server, 'subscriptions/listen', {
        notifications: { ...everything, promptsListChanged: false },
      }),
    )
    const emit = (event: VmcpEvent) => listeners.forEach((listener) => listener(event))
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 }

    expect((await next(stream)).params).toEqual({
      notifications: { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['file:///a'] },
      _meta,
    })
    emit({ type: 'list-changed', list: 'prompts' })
    emit({ type: 'resource-updated', uri: 'file:///secret' })
    emit({ type: 'resource-updated', uri: 'file:///a' })
    emit({ type: 'list-changed', list: 'tools' })
    expect(await next(stream)).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'file:///a', _meta },
    })
    expect(await next(stream)).toMatchObject({ method: 'notifications/tools/list_changed', params: { _meta } })
    expect(subscribed).toEqual([['file:///a']])
    await stream.return(undefined)
    await gone.promise
  })

  it('ends with its result when the server closes', async () => {
    const server = await startServer({}, { events: { subscribe: () => () => {} } })
    const stream = eventsOf(
      await stateless(server, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
    )
    await next(stream)

    const closing = server.close()

    expect(await next(stream)).toMatchObject({ id: 1, result: { resultType: 'complete' } })
    await closing
  })

  it.each([undefined, null, 'all', { resourceSubscriptions: 'a' }])(
    'is refused with 400 for %j',
    async (notifications) => {
      const response = await stateless(await startServer(), 'subscriptions/listen', { notifications })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: -32602 } })
    },
  )
})
