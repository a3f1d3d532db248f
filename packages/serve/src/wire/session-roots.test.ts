import type { ClientChannel, VmcpEvents } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { eventsOf, next, openSession } from '../testing/wire.js'

/** Events that keep the clients whose folders have changed. */
function rootsEvents() {
  const clients: ClientChannel[] = []
  const options: unknown[] = []
  const events: VmcpEvents = {
    subscribe: () => () => {},
    rootsChanged: (_identity, client, given) => {
      clients.push(client)
      options.push(given)
    },
  }
  return { events, clients, options }
}

const news = { method: 'notifications/roots/list_changed' }

describe('a client whose folders have changed', () => {
  it('protocol 45 tells so, with what it declared and its forwarded headers', async () => {
    const { events, clients, options } = rootsEvents()
    const server = await startServer({}, { events, passthroughHeaders: ['x-team'] })
    const capabilities = { roots: { listChanged: true } }
    const session = await openSession(server, { capabilities, headers: { 'x-team': 'red' } })

    expect((await session.send(news)).status).toBe(202)

    expect(clients.map((client) => client.capabilities)).toEqual([{ roots: true, rootsListChanged: true }])
    expect(options).toEqual([{ forwardedHeaders: { 'x-team': 'red' } }])
  })

  it('can be asked for them on the stream that waits for changes', async () => {
    const { events, clients } = rootsEvents()
    const server = await startServer({}, { events })
    const session = await openSession(server, { capabilities: { roots: { listChanged: true } } })
    const stream = eventsOf(await fetch(server.url, { headers: { ...session.headers, accept: 'text/event-stream' } }))
    await session.send(news)

    const answer = clients[0]?.forward?.({ method: 'roots/list' })
    const question = await next(stream)
    await session.send({ id: question.id, result: { roots: [{ uri: 'file:///r' }] } })

    expect(question).toMatchObject({ method: 'roots/list' })
    expect(await answer).toEqual({ roots: [{ uri: 'file:///r' }] })
  })

  it('cannot be asked without such a stream', async () => {
    const { events, clients } = rootsEvents()
    const session = await openSession(await startServer({}, { events }), {
      capabilities: { roots: { listChanged: true } },
    })
    await session.send(news)

    await expect(clients[0]?.forward?.({ method: 'roots/list' })).rejects.toMatchObject({ _tag: 'Cancelled' })
  })

  it('is not believed when it declared none', async () => {
    const { events, clients } = rootsEvents()
    const session = await openSession(await startServer({}, { events }))

    expect((await session.send(news)).status).toBe(202)

    expect(clients).toEqual([])
  })

  it('is heard by nobody where there are no events', async () => {
    const session = await openSession(await startServer(), { capabilities: { roots: { listChanged: true } } })

    expect((await session.send(news)).status).toBe(202)
  })
})
