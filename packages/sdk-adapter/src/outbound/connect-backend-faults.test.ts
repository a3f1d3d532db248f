import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, Identity, OutgoingAuth } from '@vmcp/domain'
import { BackendAuthenticationFailed, text } from '@vmcp/domain'
import type { ScriptedRequest, ScriptedServer } from '../testing/scripted-server.js'
import { startScriptedServer } from '../testing/scripted-server.js'
import type { ConnectOptions } from './backend-target.js'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

type Script = Readonly<Record<string, (request: ScriptedRequest) => void | Promise<void>>>

/** A server of the first era: answers the handshake itself and the rest by script. */
async function sessionServer(script: Script): Promise<ScriptedServer> {
  return start({
    'server/discover': (request) => request.error(404, { code: -32601, message: 'Method not found' }),
    initialize: (request) => request.result(greeting, { 'mcp-session-id': 'session-1' }),
    'notifications/initialized': ({ response }) => void response.writeHead(202).end(),
    'notifications/cancelled': ({ response }) => void response.writeHead(202).end(),
    ...script,
  })
}

/** A server of the second era: answers discovery itself and the rest by script. */
async function statelessServer(script: Script): Promise<ScriptedServer> {
  return start({ 'server/discover': (request) => request.result(discovery), ...script })
}

async function start(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer((request) => {
    const act = script[String(request.message['method'] ?? request.httpMethod)]
    if (act === undefined) return void request.response.writeHead(405).end()
    return act(request)
  })
  open.push(() => server.close())
  return server
}

function backend(url: string, more: Partial<ConnectOptions> = {}): Required<BackendClient> {
  const client = connectBackend({ id: 'b1', target: { transport: 'streamable-http', url }, ...more })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

const capabilities = { tools: {}, resources: {} }
const greeting = {
  protocolVersion: '2025-06-18',
  capabilities,
  serverInfo: { name: 'scripted', version: '1' },
  instructions: 'be kind',
}
const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities,
  ttlMs: 0,
  cacheScope: 'private',
}
const done = { content: [text('done')] }
const modernDone = { resultType: 'complete', ...done }

function sse(request: ScriptedRequest, body: string): void {
  request.response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
}

function answerTo(request: ScriptedRequest, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: request.message['id'], result })
}

describe('connectBackend when the backend is not there', () => {
  it('REL-B3 names a refused connection and no address', async () => {
    const server = await start({})
    await server.close()
    const failure = await backend(server.url)
      .describe(null)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({
      _tag: 'BackendUnavailable',
      reason: 'unreachable',
      message: 'backend unavailable: b1 (connection refused)',
    })
  })

  it('names a host that does not exist', async () => {
    await expect(backend('http://does-not-exist.invalid/mcp').describe(null)).rejects.toMatchObject({
      reason: 'unreachable',
    })
  })

  it('refuses a URL of another scheme at once', () => {
    expect(() => backend('ftp://example.com/mcp')).toThrow(expect.objectContaining({ _tag: 'InvalidConfig' }))
  })

  it('connects only on first use', async () => {
    const server = await sessionServer({})
    backend(server.url)
    expect(server.requests).toHaveLength(0)
  })
})

describe('connectBackend when credentials are refused', () => {
  it('AGG-L03 answers 401 to the handshake with a failed authentication', async () => {
    const server = await start({
      'server/discover': ({ response }) => void response.writeHead(401).end(),
      initialize: ({ response }) => void response.writeHead(401).end(),
    })
    await expect(backend(server.url).describe(null)).rejects.toMatchObject({ _tag: 'BackendAuthenticationFailed' })
  })

  it('AGG-L04 answers 403 to the handshake with an unavailable backend that names both causes', async () => {
    const server = await start({ initialize: ({ response }) => void response.writeHead(403).end() })
    await expect(backend(server.url).describe(null)).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      status: 403,
      message: expect.stringContaining('403'),
    })
  })

  it.each([401, 403, 407])(
    'AGG-M17 takes %i for a failed authentication, whatever its content type',
    async (status) => {
      const server = await statelessServer({
        'tools/call': ({ response }) => void response.writeHead(status, { 'content-type': 'text/event-stream' }).end(),
      })
      const client = backend(server.url)
      await expect(client.callTool(null, { name: 'x' })).rejects.toMatchObject({ _tag: 'BackendAuthenticationFailed' })
      expect(server.count('server/discover')).toBe(1)
    },
  )

  it('case 17c does not open another session on 401', async () => {
    const server = await sessionServer({ 'tools/call': ({ response }) => void response.writeHead(401).end() })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({
      _tag: 'BackendAuthenticationFailed',
    })
    expect(server.count('initialize')).toBe(1)
  })

  it('sends nothing when the credentials cannot be had', async () => {
    const server = await sessionServer({})
    const auth: OutgoingAuth = {
      type: 'test',
      credentialKey: () => 'k',
      headers: () => Promise.reject(new BackendAuthenticationFailed('b1')),
    }
    await expect(backend(server.url, { auth }).describe(null)).rejects.toMatchObject({
      _tag: 'BackendAuthenticationFailed',
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('connectBackend when the backend answers nonsense', () => {
  const nonsense: readonly (readonly [string, (request: ScriptedRequest) => void, string])[] = [
    ['text that is not JSON', ({ response }) => void response.writeHead(200, json).end('{"half":'), 'protocol'],
    ['JSON that is not JSON-RPC', (request) => request.json(200, { hello: 1 }), 'protocol'],
    ['a wrong id', (request) => request.json(200, { jsonrpc: '2.0', id: 'other', result: done }), 'protocol'],
    ['nothing', ({ response }) => void response.writeHead(200).end(), 'protocol'],
    ['204', ({ response }) => void response.writeHead(204).end(), 'protocol'],
    [
      'a page of HTML',
      ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'protocol',
    ],
    [
      'a lie about gzip',
      ({ response }) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('{}'),
      'protocol',
    ],
    [
      '500 with a stack trace',
      ({ response }) => void response.writeHead(500).end('Error: secret at /srv/app.js'),
      'http',
    ],
    ['a cut stream', (request) => sse(request, 'event: message\ndata: {"jsonrpc":"2.0"'), 'protocol'],
    ['a stream without the answer', (request) => sse(request, ': nothing\n\n'), 'closed'],
    ['a reset connection', ({ response }) => void response.destroy(), 'closed'],
    [
      'a reset during the answer',
      ({ response }) => void response.writeHead(200, json).write('{"a"', () => response.destroy()),
      'closed',
    ],
    ['a result that is no object', (request) => request.result('text'), 'protocol'],
    ['a tool result without content', (request) => request.result({ anything: 1 }), 'protocol'],
  ]
  const json = { 'content-type': 'application/json' }

  it.each(nonsense)('REL-B4 names %s, at once, and sends nothing of it on', async (_name, act, reason) => {
    const server = await sessionServer({ 'tools/call': act })
    const failure = await backend(server.url)
      .callTool(null, { name: 'x' })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ _tag: 'BackendUnavailable', reason })
    expect(String((failure as Error).message)).not.toMatch(/secret|half|hello|<p>/)
    expect(server.count('tools/call')).toBe(1)
  })

  it('REL-B5 bounds the size of an answer, exactly', async () => {
    const server = await sessionServer({
      'tools/call': (request) => {
        const frame = answerTo(request, { content: [text('')] }).length
        request.result({ content: [text('x'.repeat(10_000 - frame + Number(request.headers['x-more'] ?? 0)))] })
      },
    })
    const client = backend(server.url, { limits: { maxMessageBytes: 10_000 } })
    await expect(client.callTool(null, { name: 'x' })).resolves.toBeDefined()
    await expect(client.callTool(null, { name: 'x' }, { forwardedHeaders: { 'x-more': '1' } })).rejects.toMatchObject({
      reason: 'too-large',
    })
  })

  it('REL-B5 bounds the size of an event', async () => {
    const server = await sessionServer({ 'tools/call': (request) => sse(request, `data: ${'x'.repeat(20_000)}\n\n`) })
    const client = backend(server.url, { limits: { maxMessageBytes: 10_000 } })
    await expect(client.callTool(null, { name: 'x' })).rejects.toMatchObject({ reason: 'too-large' })
  })

  it('REL-B5 refuses an answer nested too deeply', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const server = await sessionServer({
      'tools/call': ({ message, response }) =>
        void response
          .writeHead(200, json)
          .end(`{"jsonrpc":"2.0","id":${String(message['id'])},"result":{"content":${deep}}}`),
    })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({ reason: 'protocol' })
  })

  it('case 19 takes an empty answer to the handshake for a broken server', async () => {
    const server = await sessionServer({ initialize: (request) => request.result({}) })
    await expect(backend(server.url).describe(null)).rejects.toMatchObject({
      reason: 'protocol',
      message: 'backend unavailable: b1 (its answer to the MCP handshake is not valid)',
    })
  })
})

describe('connectBackend when the session is lost', () => {
  const staleAnswers: readonly (readonly [string, (request: ScriptedRequest) => void])[] = [
    ['404', ({ response }) => void response.writeHead(404).end()],
    ['400 with -32600', (request) => request.error(400, { code: -32600, message: 'Session not found' }, null)],
    [
      '400 with -32000',
      (request) => request.error(400, { code: -32000, message: 'No valid session ID provided' }, null),
    ],
  ]

  it.each(staleAnswers)('case 17 opens one session for any number of parallel calls on %s', async (_name, refuse) => {
    let session = 0
    const server = await sessionServer({
      initialize: (request) => request.result(greeting, { 'mcp-session-id': `session-${(session += 1)}` }),
      'tools/call': (request) =>
        request.headers['mcp-session-id'] === 'session-1' ? refuse(request) : request.result(done),
    })
    const client = backend(server.url)
    await client.describe(null)
    const results = await Promise.all(Array.from({ length: 20 }, () => client.callTool(null, { name: 'x' })))
    expect(results).toHaveLength(20)
    expect(server.count('initialize')).toBe(2)
  })

  it('gives up after one renewal', async () => {
    const server = await sessionServer({ 'tools/call': ({ response }) => void response.writeHead(404).end() })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      reason: 'http',
      status: 404,
    })
    expect(server.count('initialize')).toBe(2)
    expect(server.count('tools/call')).toBe(2)
  })

  it('tells subscribers that lists may differ after a renewal', async () => {
    let calls = 0
    const server = await sessionServer({
      'tools/call': (request) =>
        (calls += 1) === 1 ? void request.response.writeHead(404).end() : request.result(done),
    })
    const client = backend(server.url)
    const heard: unknown[] = []
    client.subscribe((event) => heard.push(event))
    await client.callTool(null, { name: 'x' })
    expect(heard).toContainEqual({ type: 'list-changed', list: 'tools' })
  })

  it('a probe does not open a session in place of one that others use', async () => {
    const server = await sessionServer({ ping: ({ response }) => void response.writeHead(404).end() })
    const client = backend(server.url)
    await client.describe(null)
    await client.probe()
    expect(server.count('initialize')).toBe(1)
  })

  it('ends the session on close', async () => {
    const server = await sessionServer({ DELETE: ({ response }) => void response.writeHead(200).end() })
    const client = backend(server.url)
    await client.describe(null)
    await client.close()
    const ended = server.requests.find(({ httpMethod }) => httpMethod === 'DELETE')
    expect(ended?.headers['mcp-session-id']).toBe('session-1')
  })
})

describe('connectBackend and redirects', () => {
  it('AGG-L10 follows one to the same host and port', async () => {
    const server = await statelessServer({
      'tools/call': (request) =>
        request.path === '/moved'
          ? request.result(modernDone)
          : void request.response.writeHead(307, { location: '/moved' }).end(),
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
  })

  it('AGG-L10 refuses one to another port and sends it no credential', async () => {
    const other = await start({})
    const server = await statelessServer({
      'tools/call': ({ response }) => void response.writeHead(307, { location: other.url }).end(),
    })
    const auth = bearer(() => 'secret')
    await expect(backend(server.url, { auth }).callTool(null, { name: 'x' })).rejects.toMatchObject({
      reason: 'protocol',
    })
    expect(other.requests).toHaveLength(0)
  })

  it('stops after ten', async () => {
    const server = await statelessServer({
      'tools/call': ({ response }) => void response.writeHead(308, { location: '/mcp' }).end(),
    })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({ reason: 'protocol' })
    expect(server.count('tools/call')).toBe(11)
  })
})

describe('connectBackend and headers', () => {
  it('AGG-L11 sends configured headers and credentials, and credentials win', async () => {
    const server = await statelessServer({ 'tools/call': (request) => request.result(modernDone) })
    const headers = { 'X-Tenant': 'acme', Authorization: 'Basic configured' }
    const target = { transport: 'streamable-http' as const, url: server.url, headers }
    await backend(server.url, { target, auth: bearer(() => 't1') }).callTool(null, { name: 'x' })
    for (const request of server.requests) {
      expect(request.headers).toMatchObject({ 'x-tenant': 'acme', authorization: 'Bearer t1' })
    }
  })

  it('AGG-L12 refuses a forwarded header that collides with a configured one, and drops those of the hop', async () => {
    const server = await statelessServer({ 'tools/call': (request) => request.result(modernDone) })
    const target = { transport: 'streamable-http' as const, url: server.url, headers: { 'X-Tenant': 'acme' } }
    const client = backend(server.url, { target })
    await expect(client.callTool(null, { name: 'x' }, { forwardedHeaders: { 'x-tenant': 'evil' } })).rejects.toThrow(
      'forwarded header "x-tenant" collides with a configured header',
    )
    await client.callTool(null, { name: 'x' }, { forwardedHeaders: { host: 'evil', 'x-trace': '1' } })
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'x-trace': '1', host: new URL(server.url).host })
  })

  it('AGG-M13 AGG-M15 sends the standard headers, which nothing can replace', async () => {
    const server = await statelessServer({
      'tools/call': (request) => request.result(modernDone),
      'tools/list': (request) => request.result({ resultType: 'complete', tools: [] }),
    })
    const client = backend(server.url)
    const parameterHeaders = { 'Mcp-Method': 'resources/read', 'Mcp-Param-Region': 'eu-west1' }
    await client.callTool(null, { name: 'echo' }, { parameterHeaders })
    expect(server.requests.at(-1)?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-param-region': 'eu-west1',
    })
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('mcp-session-id')
    await client.callTool(null, { name: 'données lire' })
    expect(server.requests.at(-1)?.headers['mcp-name']).toBe('=?base64?ZG9ubsOpZXMgbGlyZQ==?=')
    await client.listTools(null, {})
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('mcp-name')
  })

  it('AGG-M14 AGG-M23 makes the metadata of the hop itself', async () => {
    const server = await statelessServer({ 'tools/call': (request) => request.result(modernDone) })
    const meta = { 'io.modelcontextprotocol/protocolVersion': '1999-01-01', userKey: 1 }
    await backend(server.url).callTool(null, { name: 'x', meta })
    expect(server.requests.at(-1)?.message['params']).toMatchObject({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        userKey: 1,
      },
    })
    expect(server.requests.at(-1)?.message['params']).not.toHaveProperty(['_meta', 'io.modelcontextprotocol/logLevel'])
    expect(meta['io.modelcontextprotocol/protocolVersion']).toBe('1999-01-01')
  })
})

describe('connectBackend and callers', () => {
  it('shares a session only between callers with the same credential, and sends each its own', async () => {
    let session = 0
    const server = await sessionServer({
      initialize: (request) => request.result(greeting, { 'mcp-session-id': `s-${(session += 1)}` }),
      'tools/call': (request) => request.result(done),
    })
    const client = backend(server.url, { auth: bearer((identity) => identity?.subject ?? 'nobody') })
    const ada = { subject: 'ada' } as Identity
    const bob = { subject: 'bob' } as Identity
    for (const identity of [ada, bob, ada]) await client.callTool(identity, { name: 'x' })
    const calls = server.requests.filter(({ message }) => message['method'] === 'tools/call')
    const seen = calls.map(({ headers }) => [headers['authorization'], headers['mcp-session-id']])
    expect(seen).toEqual([
      ['Bearer ada', 's-1'],
      ['Bearer bob', 's-2'],
      ['Bearer ada', 's-1'],
    ])
  })

  it('hands a notification to the call it belongs to and to no other', async () => {
    const server = await statelessServer({
      'tools/call': (request) => {
        const data = (request.message['params'] as { readonly name: string }).name
        const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } }
        sse(request, `data: ${JSON.stringify(log)}\n\ndata: ${answerTo(request, modernDone)}\n\n`)
      },
    })
    const client = backend(server.url)
    const listen = () => {
      const heard: unknown[] = []
      const notify = (notification: unknown) => void heard.push((notification as { readonly data: unknown }).data)
      return { heard, channel: { capabilities: {}, answers: 'push' as const, wantsProgress: false, notify } }
    }
    const one = listen()
    const two = listen()
    await Promise.all([
      client.callTool(null, { name: 'one' }, { client: one.channel }),
      client.callTool(null, { name: 'two' }, { client: two.channel }),
    ])
    expect(one.heard).toEqual(['one'])
    expect(two.heard).toEqual(['two'])
  })

  it('takes up a stream that its server closed before the answer', async () => {
    let id: unknown
    const server = await sessionServer({
      'tools/call': (request) => {
        id = request.message['id']
        sse(request, 'id: e1\nretry: 10\ndata: \n\n')
      },
      GET: (request) => {
        if (request.headers['last-event-id'] !== 'e1') return void request.response.writeHead(405).end()
        return sse(request, `id: e2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: done })}\n\n`)
      },
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
    expect(server.count('tools/call')).toBe(1)
  })

  it('AGG-M16 reads events with many data lines, CRLF and no last blank line', async () => {
    const server = await statelessServer({
      'tools/call': (request) => {
        const answer = JSON.stringify(JSON.parse(answerTo(request, modernDone)), null, 1)
        sse(
          request,
          `event: message\r\n${answer
            .split('\n')
            .map((line) => `data: ${line}\r\n`)
            .join('')}`,
        )
      },
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
  })

  it('refuses what a backend asks of a client that declared nothing', async () => {
    const answered: unknown[] = []
    const server = await sessionServer({
      'tools/call': (request) => {
        const ask = { jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: { message: 'who?' } }
        request.response.writeHead(200, { 'content-type': 'text/event-stream' })
        request.response.write(`data: ${JSON.stringify(ask)}\n\n`)
        finish = () => request.response.end(`data: ${answerTo(request, done)}\n\n`)
      },
      POST: ({ message, response }) => {
        answered.push(message)
        response.writeHead(202).end()
        finish()
      },
    })
    let finish = () => {}
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
    expect(answered).toMatchObject([{ id: 'q1', error: { code: -32601 } }])
  })
})

function bearer(token: (identity: Identity | null) => string): OutgoingAuth {
  return {
    type: 'test',
    credentialKey: token,
    headers: async (identity) => ({ Authorization: `Bearer ${token(identity)}` }),
  }
}
