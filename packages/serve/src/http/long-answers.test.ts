import { describe, expect, it } from 'vitest'
import { text } from '@vmcp/domain'
import { deferred } from '../testing/deferred.js'
import { rawRequest } from '../testing/raw-request.js'
import { startServer } from '../testing/start-server.js'
import { openSession } from '../testing/wire.js'

const brief = { headersTimeoutMs: 40, requestTimeoutMs: 50, streamKeepAliveMs: 10 }

describe('the time limits of a request', () => {
  it('SRV-H011 do not end an open stream', async () => {
    const server = await startServer({}, { limits: brief })
    const session = await openSession(server)

    const response = await fetch(server.url, { headers: { ...session.headers, accept: 'text/event-stream' } })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (seen.split(': keep-alive').length < 12) {
      const { value, done } = await reader.read()
      if (done) break
      seen += value
    }

    expect(seen.split(': keep-alive').length).toBe(12)
    await reader.cancel()
  })

  it('do not end a call that takes longer (the reference cuts it)', async () => {
    const server = await startServer(
      { callTool: () => new Promise((resolve) => setTimeout(() => resolve({ content: [text('late')] }), 150)) },
      { limits: brief },
    )
    const session = await openSession(server)

    expect((await session.request('tools/call', { name: 'slow' })).result.content[0].text).toBe('late')
  })

  it('REL-H4 end a connection that sends its headers too slowly', async () => {
    const server = await startServer({}, { limits: brief })

    expect(await rawRequest(server.port, 'POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-slow: ')).toMatch(
      /^HTTP\/1\.1 408 /,
    )
  })
})

describe('a client that reads its stream too slowly', () => {
  it('is cut off when too much waits for it, and its call goes on', async () => {
    const cut = deferred<boolean>()
    const server = await startServer(
      {
        callTool: async (_identity, _request, options) => {
          for (let sent = 0; sent < 200; sent += 1) {
            options!.client!.notify({ type: 'log', level: 'error', data: 'x'.repeat(100_000) })
          }
          cut.resolve(true)
          return { content: [] }
        },
      },
      { limits: { streamBufferBytes: 1024 * 1024 } },
    )
    const session = await openSession(server)

    const response = await session.send({ id: 1, method: 'tools/call', params: { name: 'noisy' } })

    await expect(response.text()).rejects.toThrow()
    expect(await cut.promise).toBe(true)
    expect((await session.request('ping')).result).toEqual({})
  })
})
