import { Identity, text } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { startServer } from '../testing/start-server.js'
import { openSession, post, rpc } from '../testing/wire.js'

const byToken = {
  authenticate: async ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) => {
    const subject = headers['authorization']
    const identity = subject ? new Identity({ issuer: 'https://idp.example', subject }) : null
    return { outcome: 'authenticated', identity } as const
  },
}

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
