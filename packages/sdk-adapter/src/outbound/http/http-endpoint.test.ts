import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WireFailure } from '../wire-failure.js'
import { HttpEndpoint } from './http-endpoint.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A server that accepts connections and says nothing, so that no TLS handshake comes to an end. */
async function silentServer() {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), sockets }
}

function endpoint(url: URL): HttpEndpoint {
  const made = new HttpEndpoint(url, { maxConnections: 1, maxWaiting: 1, connectTimeoutMs: 60_000 })
  open.push(() => made.close())
  return made
}

/** A call with what becomes of it. */
function begin(made: HttpEndpoint) {
  const failures: unknown[] = []
  const ignore = () => {}
  const reader = { head: ignore, data: ignore, end: ignore, failed: (error: unknown) => void failures.push(error) }
  const call = made.call({ method: 'POST', headers: [], body: '{}' }, reader)
  call.start()
  return { call, failures }
}

const cancelled = new WireFailure({ kind: 'cancelled' })

describe('HttpEndpoint', () => {
  it('knows that a call whose connection has not come about is not sent, and ends it at once', async () => {
    const { url, sockets } = await silentServer()
    const { call, failures } = begin(endpoint(url))
    await vi.waitFor(() => expect(sockets).toHaveLength(1))
    expect(call.isSent).toBe(false)
    call.stop(cancelled)
    expect(failures).toEqual([cancelled])
    expect(call.isSent).toBe(false)
  })

  it('opens no more connections than it may when calls are given up before theirs come about', async () => {
    const { url, sockets } = await silentServer()
    const made = endpoint(url)
    const first = begin(made)
    await vi.waitFor(() => expect(sockets).toHaveLength(1))
    first.call.stop(cancelled)
    const second = begin(made)
    expect(begin(made).failures).toMatchObject([{ fault: { kind: 'busy' } }])
    expect(second.failures).toEqual([])
    sockets[0]?.destroy()
    await vi.waitFor(() => expect(sockets).toHaveLength(2))
    expect(first.failures).toEqual([cancelled])
  })

  it('ends the calls that wait when it closes', async () => {
    const { url } = await silentServer()
    const made = endpoint(url)
    const calls = [begin(made), begin(made)]
    await made.close()
    for (const { failures } of calls) expect(failures).toMatchObject([{ fault: { kind: 'closed' } }])
  })
})
