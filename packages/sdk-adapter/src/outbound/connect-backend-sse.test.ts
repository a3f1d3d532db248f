import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient } from '@vmcp/domain'
import { text } from '@vmcp/domain'
import type { RawServer } from '@vmcp/testing'
import { startRawServer } from '@vmcp/testing'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A server of the 2024-11-05 transport; `streams` are its open streams. */
async function sseServer(endpoint = '/messages?session=1') {
  const streams: ServerResponse[] = []
  const server = await startRawServer(({ httpMethod, message, response, path }) => {
    if (httpMethod === 'GET') {
      streams.push(response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.write(`event: endpoint\ndata: ${endpoint}\n\n`)
    }
    if (!path.startsWith('/messages')) return void response.writeHead(405).end()
    response.writeHead(202).end()
    const { id, method, params } = message
    if (id === undefined) return
    const tell = (sent: object) => streams.at(-1)?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...sent })}\n\n`)
    if (method === 'initialize') return void tell({ id, result: greeting })
    const { name, _meta } = params as { readonly name: string; readonly _meta?: { readonly progressToken?: number } }
    if (name === 'hang') return
    const progressToken = _meta?.progressToken
    tell({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    tell({ id, result: { content: [text(name)] } })
  })
  open.push(() => server.close())
  return { server, streams }
}

const greeting = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {} },
  serverInfo: { name: 'old', version: '1' },
}

function backend(server: RawServer): Required<BackendClient> {
  const client = connectBackend({ id: 'old', target: { transport: 'sse', url: server.url } })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

describe('connectBackend over HTTP+SSE', () => {
  it('AGG-M06 speaks the first era without asking', async () => {
    const { server } = await sseServer()
    expect((await backend(server).describe(null)).protocolVersion).toBe('2024-11-05')
    expect(server.count('server/discover')).toBe(0)
  })

  it('calls in parallel and hands progress to its own call', async () => {
    const { server } = await sseServer()
    const client = backend(server)
    const heard: unknown[] = []
    const channel = { capabilities: {}, answers: 'push' as const, wantsProgress: true, notify: heard.push.bind(heard) }
    const results = await Promise.all([
      client.callTool(null, { name: 'a' }, { client: channel }),
      client.callTool(null, { name: 'b' }),
    ])
    expect(results).toMatchObject([{ content: [text('a')] }, { content: [text('b')] }])
    expect(heard).toEqual([{ type: 'progress', progress: 1 }])
  })

  it('fails the calls of a stream that ends, and opens another for the next', async () => {
    const { server, streams } = await sseServer()
    const client = backend(server)
    await client.describe(null)
    const hanging = client.callTool(null, { name: 'hang' })
    const failure = expect(hanging).rejects.toMatchObject({ _tag: 'BackendUnavailable', reason: 'closed' })
    while (server.count('tools/call') === 0) await new Promise((resolve) => setImmediate(resolve))
    streams[0]?.end()
    await failure
    expect(await client.callTool(null, { name: 'again' })).toMatchObject({ content: [text('again')] })
    expect(streams).toHaveLength(2)
  })

  it('refuses to post to another origin', async () => {
    const { server } = await sseServer('http://127.0.0.1:1/messages')
    await expect(backend(server).describe(null)).rejects.toMatchObject({ reason: 'protocol' })
  })

  it('names a server without an event stream', async () => {
    const server = await startRawServer(({ response }) => void response.writeHead(404).end())
    open.push(() => server.close())
    await expect(backend(server).describe(null)).rejects.toMatchObject({ _tag: 'BackendUnavailable', status: 404 })
  })
})
