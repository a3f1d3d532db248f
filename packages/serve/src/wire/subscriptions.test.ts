import type { VmcpEvent, VmcpEvents } from '@vmcp/domain'
import { NotFound } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { startServer } from '../testing/start-server.js'
import { eventsOf, messagesOf, next, stateless } from '../testing/wire.js'

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'vmcp', version: '1.0.0' } }

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
