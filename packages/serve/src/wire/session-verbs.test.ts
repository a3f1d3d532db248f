import { AuthorizationDenied, BackendRejected, BackendTimeout, NotFound, RateLimited, text } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import type { Json } from '../testing/wire.js'
import { openSession, post } from '../testing/wire.js'

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
