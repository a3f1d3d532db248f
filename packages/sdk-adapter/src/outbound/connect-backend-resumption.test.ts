import { describe, expect, it, vi } from 'vitest'
import type { RawRequest } from '@vmcp/testing'
import { answerStream, done } from '@vmcp/testing'
import { backend, sessionBackend } from './test-support/raw-backends.js'

/** A backend that breaks the stream of a call off before the answer, and opens the rest of it by GET. */
async function brokenOffBackend(rest: (request: RawRequest, callId: unknown) => void) {
  const resumed: RawRequest[] = []
  const closed: RawRequest[] = []
  const server = await sessionBackend({
    'tools/call': (request) => answerStream(request, `id: e${String(request.message['id'])}\nretry: 1\ndata: \n\n`),
    GET: (request) => {
      const lastEventId = request.headers['last-event-id']
      if (lastEventId === undefined) return void request.response.writeHead(405).end()
      resumed.push(request)
      request.response.on('close', () => closed.push(request))
      rest(request, Number.parseInt(lastEventId.slice(1)))
    },
  })
  return { server, resumed, closed, client: backend(server.url) }
}

describe('connectBackend when a stream is broken off before the answer', () => {
  it('takes it up again, and does not leave the socket of the answer open', async () => {
    const { client, resumed, closed } = await brokenOffBackend((request, id) => request.send({ id, result: done }))
    await expect(client.callTool(null, { name: 'x' })).resolves.toEqual(done)
    expect(resumed).toHaveLength(1)
    await vi.waitFor(() => expect(closed).toEqual(resumed), { timeout: 5_000 })
  })

  it('takes it up again as often as it brings something', async () => {
    const { client, resumed } = await brokenOffBackend((request, id) => {
      const answer = { jsonrpc: '2.0', id, result: done }
      const event =
        resumed.length < 4 ? `id: e${String(id)}.${resumed.length}\ndata: ` : `data: ${JSON.stringify(answer)}`
      answerStream(request, `${event}\n\n`)
    })
    await expect(client.callTool(null, { name: 'x' })).resolves.toEqual(done)
    expect(resumed).toHaveLength(4)
  })

  it('cancels the call while it waits for the rest, and closes the socket', async () => {
    const controller = new AbortController()
    const { client, server, resumed, closed } = await brokenOffBackend((request) => {
      request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })
    const call = client.callTool(null, { name: 'x' }, { signal: controller.signal })
    await vi.waitFor(() => expect(resumed).toHaveLength(1))
    controller.abort()
    await expect(call).rejects.toMatchObject({ _tag: 'Cancelled' })
    await vi.waitFor(() => expect(closed).toEqual(resumed))
    await vi.waitFor(() => expect(server.count('notifications/cancelled')).toBe(1))
  })
})
