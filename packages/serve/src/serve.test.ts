import { InvalidConfig } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { deferred } from './testing/deferred.js'
import { fakeVmcp } from './testing/fake-vmcp.js'
import { startServer } from './testing/start-server.js'
import { messagesOf, openSession, post, stateless } from './testing/wire.js'
import { serve } from './serve.js'

describe('serve', () => {
  it('serves a session and a stateless request on one endpoint', async () => {
    const listTools = async () => [{ name: 'echo', inputSchema: { type: 'object' }, backendId: 'one' }]
    const server = await startServer({ listTools })
    const session = await openSession(server)

    expect(await session.request('tools/list')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    })
    const [answer] = await messagesOf(await stateless(server, 'tools/list'))
    expect(answer.result).toMatchObject({ tools: [{ name: 'echo' }], resultType: 'complete', ttlMs: 0 })
  })

  it('reports a port in use as a configuration problem in one line', async () => {
    const first = await startServer()

    const second = serve(fakeVmcp(), { name: 'vmcp', version: '1.0.0', port: first.port })

    await expect(second).rejects.toBeInstanceOf(InvalidConfig)
    await expect(second).rejects.toMatchObject({
      problems: [{ path: 'port', message: `port ${first.port} on 127.0.0.1 is already in use` }],
    })
  })

  it('lets a running call end before it closes, and refuses new ones', async () => {
    const started = deferred<void>()
    const release = deferred<void>()
    const server = await startServer({
      callTool: async () => {
        started.resolve()
        await release.promise
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    const session = await openSession(server)
    const running = session.request('tools/call', { name: 'slow' })
    await started.promise

    const closing = server.close()
    const refused = await session.send({ id: 2, method: 'ping' }).catch(() => undefined)
    release.resolve()

    expect((await running).result.content).toEqual([{ type: 'text', text: 'done' }])
    expect(refused?.status ?? 503).toBe(503)
    await closing
    await expect(post(server, '{}')).rejects.toThrow()
  })

  it('cancels what still runs after the drain time, answers it and closes', async () => {
    const started = deferred<AbortSignal>()
    const server = await startServer(
      {
        callTool: (_identity, _request, options) => {
          started.resolve(options!.signal!)
          return new Promise(() => {})
        },
      },
      { limits: { drainMs: 10 } },
    )
    const session = await openSession(server)
    const running = session.request('tools/call', { name: 'hangs' })
    const signal = await started.promise

    await server.close()

    expect(signal.aborted).toBe(true)
    expect((await running).error).toMatchObject({ code: -32603, message: 'the session ended' })
  })

  it('closes once, however often it is asked', async () => {
    const server = await startServer()

    await Promise.all([server.close(), server.close()])
    await server.close()
  })

  it('refuses a path and a port that cannot be', async () => {
    await expect(startServer({}, { path: 'mcp' })).rejects.toMatchObject({ problems: [{ path: 'path' }] })
    await expect(startServer({}, { port: 70000 })).rejects.toMatchObject({ problems: [{ path: 'port' }] })
  })
})
