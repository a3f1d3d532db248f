import { describe, expect, it } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { startServer } from '../testing/start-server.js'
import { messagesOf, openSession, rpc } from '../testing/wire.js'

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
