import type { VmcpEvent, VmcpEvents } from '@vmcp/domain'
import { text } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { startServer } from '../testing/start-server.js'
import type { Json } from '../testing/wire.js'
import { eventsOf, next, openSession, rpc } from '../testing/wire.js'

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

  it('is one: a second one ends the first', async () => {
    const server = await startServer()
    const session = await openSession(server)
    const first = await listen(server.url, session.headers)

    await listen(server.url, session.headers)

    expect(await next(first)).toBeUndefined()
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
