import { describe, expect, it, vi } from 'vitest'
import type { OutgoingAuth } from '@vmcp/domain'
import { BackendAuthenticationFailed, text } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { answerStream, answerText, done } from '@vmcp/testing'
import { backend, scriptedBackend, sessionBackend, statelessBackend } from './test-support/raw-backends.js'

describe('connectBackend when the backend is not there', () => {
  it('REL-B3 names a refused connection and no address', async () => {
    const server = await scriptedBackend({})
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
    const server = await sessionBackend({})
    backend(server.url)
    expect(server.requests).toHaveLength(0)
  })
})

describe('connectBackend when credentials are refused', () => {
  it('AGG-L03 answers 401 to the handshake with a failed authentication', async () => {
    const server = await scriptedBackend({
      'server/discover': ({ response }) => void response.writeHead(401).end(),
      initialize: ({ response }) => void response.writeHead(401).end(),
    })
    await expect(backend(server.url).describe(null)).rejects.toMatchObject({ _tag: 'BackendAuthenticationFailed' })
  })

  it('AGG-L04 answers 403 to the handshake with an unavailable backend that names both causes', async () => {
    const server = await scriptedBackend({ initialize: ({ response }) => void response.writeHead(403).end() })
    await expect(backend(server.url).describe(null)).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      status: 403,
      message: expect.stringContaining('403'),
    })
  })

  it.each([401, 403, 407])(
    'AGG-M17 takes %i for a failed authentication, whatever its content type',
    async (status) => {
      const server = await statelessBackend({
        'tools/call': ({ response }) => void response.writeHead(status, { 'content-type': 'text/event-stream' }).end(),
      })
      const client = backend(server.url)
      await expect(client.callTool(null, { name: 'x' })).rejects.toMatchObject({ _tag: 'BackendAuthenticationFailed' })
      expect(server.count('server/discover')).toBe(1)
    },
  )

  it('case 17c does not open another session on 401', async () => {
    const server = await sessionBackend({ 'tools/call': ({ response }) => void response.writeHead(401).end() })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({
      _tag: 'BackendAuthenticationFailed',
    })
    expect(server.count('initialize')).toBe(1)
  })

  it('sends nothing when the credentials cannot be had', async () => {
    const server = await sessionBackend({})
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
  const nonsense: readonly (readonly [string, (request: RawRequest) => void, string])[] = [
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
    ['a cut stream', (request) => answerStream(request, 'event: message\ndata: {"jsonrpc":"2.0"'), 'protocol'],
    ['a stream without the answer', (request) => answerStream(request, ': nothing\n\n'), 'closed'],
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
    const server = await sessionBackend({ 'tools/call': act })
    const failure = await backend(server.url)
      .callTool(null, { name: 'x' })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ _tag: 'BackendUnavailable', reason })
    expect(String((failure as Error).message)).not.toMatch(/secret|half|hello|<p>/)
    expect(server.count('tools/call')).toBe(1)
  })

  it('REL-B2 refuses at once what is more than a backend and its queue can hold, and is no sign of a dead one', async () => {
    const held: RawRequest[] = []
    const server = await sessionBackend({ 'tools/call': (request) => void held.push(request) })
    const client = backend(server.url, { limits: { maxConnections: 1, maxWaiting: 1 } })
    await client.describe(null)
    const calls = [1, 2, 3].map(() => client.callTool(null, { name: 'x' }))
    await expect(calls[2]).rejects.toMatchObject({ _tag: 'BackendUnavailable', reason: 'unhealthy' })
    await vi.waitFor(() => expect(held).toHaveLength(1))
    held[0]?.result(done)
    await vi.waitFor(() => expect(held).toHaveLength(2))
    held[1]?.result(done)
    await expect(Promise.all(calls.slice(0, 2))).resolves.toHaveLength(2)
  })

  it('takes an answer after a byte order mark', async () => {
    const server = await sessionBackend({
      'tools/call': (request) => void request.response.writeHead(200, json).end(`\ufeff${answerText(request, done)}`),
    })
    await expect(backend(server.url).callTool(null, { name: 'x' })).resolves.toEqual(done)
  })

  it('takes an answer with two content types for one of none that is known', async () => {
    const server = await statelessBackend({
      'tools/call': ({ response }) => {
        response.writeHead(200, ['content-type', 'text/html', 'content-type', 'application/json']).end('{}')
      },
    })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({ reason: 'protocol' })
  })

  it('REL-B5 bounds the size of an answer, exactly', async () => {
    const server = await sessionBackend({
      'tools/call': (request) => {
        const frame = answerText(request, { content: [text('')] }).length
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
    const server = await sessionBackend({
      'tools/call': (request) => answerStream(request, `data: ${'x'.repeat(20_000)}\n\n`),
    })
    const client = backend(server.url, { limits: { maxMessageBytes: 10_000 } })
    await expect(client.callTool(null, { name: 'x' })).rejects.toMatchObject({ reason: 'too-large' })
  })

  it('REL-B5 refuses an answer nested too deeply', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const server = await sessionBackend({
      'tools/call': ({ message, response }) =>
        void response
          .writeHead(200, json)
          .end(`{"jsonrpc":"2.0","id":${String(message['id'])},"result":{"content":${deep}}}`),
    })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({ reason: 'protocol' })
  })

  it('case 19 takes an empty answer to the handshake for a broken server', async () => {
    const server = await sessionBackend({ initialize: (request) => request.result({}) })
    await expect(backend(server.url).describe(null)).rejects.toMatchObject({
      reason: 'protocol',
      message: 'backend unavailable: b1 (its answer to the MCP handshake is not valid)',
    })
  })
})

describe('connectBackend and event streams', () => {
  it('REL-B4 ends the call at once wherever the stream is cut', async () => {
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/odd', params: {} })
    let length = 0
    const server = await sessionBackend({
      'tools/call': (request) => {
        const stream = `data: ${note}\n\nevent: message\ndata: ${answerText(request, done)}\n\n`
        if (length === 0) return answerStream(request, stream)
        return answerStream(request, stream.slice(0, length))
      },
    })
    const client = backend(server.url)
    expect(await client.callTool(null, { name: 'x' })).toEqual(done)
    for (length = 1; length < 160; length += 1) {
      const outcome = await client.callTool(null, { name: 'x' }).then(
        () => 'answered',
        (failure: { readonly reason?: string }) => failure.reason,
      )
      expect(['answered', 'closed', 'protocol']).toContain(outcome)
    }
  })

  it('does not wait for the end of a stream that has answered', async () => {
    const server = await sessionBackend({
      'tools/call': (request) => {
        request.response.writeHead(200, { 'content-type': 'text/event-stream' })
        request.response.write(`data: ${answerText(request, done)}\n\n`)
      },
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
  })

  it('stops a handshake that nobody waits for any more', async () => {
    let arrived = () => {}
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve))
    let closed = () => {}
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    const server = await sessionBackend({
      initialize: ({ response }) => {
        response.on('close', closed)
        arrived()
      },
    })
    const controller = new AbortController()
    const describing = backend(server.url).describe(null, { signal: controller.signal })
    const failure = expect(describing).rejects.toMatchObject({ _tag: 'Cancelled' })
    await hasArrived
    controller.abort()
    await failure
    await isClosed
  })
})

describe('connectBackend and causes', () => {
  it('AGG-L06 tells an HTTP failure by its status', async () => {
    const server = await sessionBackend({ 'tools/call': ({ response }) => void response.writeHead(503).end() })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      reason: 'http',
      status: 503,
    })
  })

  it('AGG-L08 takes a template list that the backend does not know for an empty one', async () => {
    const server = await sessionBackend({
      'resources/templates/list': (request) => request.error(200, { code: -32601, message: 'Method not found' }),
      'resources/list': (request) => request.error(200, { code: -32601, message: 'Method not found' }),
    })
    const client = backend(server.url)
    expect(await client.listResourceTemplates(null, {})).toEqual({ items: [] })
    await expect(client.listResources(null, {})).rejects.toMatchObject({ _tag: 'BackendRejected', code: -32601 })
  })

  it('AGG-L09 answers no completions for a backend without them, and asks nothing', async () => {
    const server = await sessionBackend({})
    const ref = { type: 'ref/prompt' as const, name: 'p' }
    expect(await backend(server.url).complete(null, { ref, argument: { name: 'a', value: '' } })).toEqual({
      values: [],
    })
    expect(server.count('completion/complete')).toBe(0)
  })
})
