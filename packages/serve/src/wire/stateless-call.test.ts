import {
  AuthorizationDenied,
  BackendRejected,
  BackendUnavailable,
  InvalidRequestState,
  NotFound,
  RateLimited,
  text,
} from '@vmcp/domain'
import { recordingLogger } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { startServer } from '../testing/start-server.js'
import { envelope, messagesOf, rpc, stateless } from '../testing/wire.js'

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'vmcp', version: '1.0.0' } }

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

  it('answers a failed list without detail, which goes to the log', async () => {
    const logger = recordingLogger()
    const listTools = () => Promise.reject(new BackendUnavailable('b', 'closed'))
    const server = await startServer({ listTools }, { logger })

    const response = await stateless(server, 'tools/list')

    expect(await response.json()).toMatchObject({ error: { code: -32603, message: 'internal error' } })
    expect(logger.lines.at(-1)?.fields).toEqual({ method: 'tools/list', error: 'backend unavailable: b (closed)' })
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

  it('never tells that an elicitation by URL is complete', async () => {
    const server = await startServer({
      callTool: async (_identity, _request, options) => {
        options!.client!.notify({ type: 'elicitation-complete', elicitationId: 'e1' })
        return { content: [] }
      },
    })
    const _meta = envelope({ elicitation: { url: {} } })
    const response = await stateless(server, 'tools/call', { name: 't', _meta })
    expect((await messagesOf(response)).map(({ method }) => method)).toEqual([undefined])
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
