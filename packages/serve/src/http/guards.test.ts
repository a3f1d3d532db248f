import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { openSession, post, rpc } from '../testing/wire.js'
import { rawPost, rawRequest } from '../testing/raw-request.js'
import { createSiteGuard } from './guards.js'

describe('createSiteGuard', () => {
  const guard = createSiteGuard({ host: '127.0.0.1' })

  it.each(['localhost', 'LOCALHOST:4483', '127.0.0.1', '127.0.0.1:1', '[::1]:4483'])(
    'REL-H5 admits Host %s',
    (host) => {
      expect(guard(requestWith({ host }))).toBeUndefined()
    },
  )

  it.each([
    'evil.example.com',
    'evil.localhost',
    'localhost.',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'user@localhost',
    'localhost:',
    'localhost:port',
    'localhost/evil',
    '[::ffff:127.0.0.1]',
    '0x7f000001',
    '',
  ])('REL-H5 refuses Host %j', (host) => {
    expect(guard(requestWith({ host }))).toMatchObject({ status: 403 })
  })

  it.each(['http://localhost', 'https://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:8000'])(
    'REL-H5 admits Origin %s',
    (origin) => {
      expect(guard(requestWith({ host: 'localhost', origin }))).toBeUndefined()
    },
  )

  it.each([
    'null',
    'http://evil.example',
    'http://evil.localhost',
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    'http://evil@localhost',
    'http://localhost/',
    'http://127.0.0.1.nip.io',
    'file://',
    'localhost',
  ])('REL-H5 refuses Origin %s', (origin) => {
    expect(guard(requestWith({ host: 'localhost', origin }))).toMatchObject({ status: 403 })
  })

  it('keeps to exact lists when they are given', () => {
    const listed = createSiteGuard({
      host: '0.0.0.0',
      allowedHosts: ['MCP.example'],
      allowedOrigins: ['https://app.example'],
    })

    expect(listed(requestWith({ host: 'mcp.example:443', origin: 'https://app.example' }))).toBeUndefined()
    expect(listed(requestWith({ host: 'mcp.example', origin: 'https://app.example:8443' }))).toMatchObject({
      status: 403,
    })
    expect(listed(requestWith({ host: 'localhost' }))).toMatchObject({ status: 403 })
  })

  it('admits any Host beyond loopback when no list is given, and still no foreign Origin', () => {
    const open = createSiteGuard({ host: '0.0.0.0' })

    expect(open(requestWith({ host: 'gateway.internal' }))).toBeUndefined()
    expect(open(requestWith({ host: 'gateway.internal', origin: 'https://evil.example' }))).toMatchObject({
      status: 403,
    })
  })
})

describe('the head of a request', () => {
  it('SRV-H012 is refused for a foreign Host on loopback, before the caller is asked for', async () => {
    const asked: unknown[] = []
    const authenticate = async (request: unknown) => {
      asked.push(request)
      return { outcome: 'authenticated', identity: null } as const
    }
    const server = await startServer({}, { incomingAuth: { authenticate } })

    const answer = await rawRequest(server.port, rawPost({ host: 'evil.example.com', 'content-length': '2' }, '{}'))

    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    expect(asked).toEqual([])
    expect((await openSession(server)).id).not.toBe('')
  })

  it('is refused for a foreign Origin', async () => {
    const server = await startServer()

    expect((await post(server, rpc('ping'), { origin: 'http://evil.example' })).status).toBe(403)
  })

  it.each([undefined, 'application/json', '*/*'])(
    'SRV-H009 of a GET has to accept an event stream, not %s',
    async (accept) => {
      const server = await startServer()
      const answer = await rawRequest(
        server.port,
        `GET /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${accept === undefined ? '' : `accept: ${accept}\r\n`}\r\n`,
      )

      expect(answer).toMatch(/^HTTP\/1\.1 406 /)
      expect(answer).toContain('Not Acceptable')
      expect(answer).toContain('text/event-stream')
      expect(answer).toContain('"id":"server-error"')
      expect(answer).toContain('-32600')
    },
  )

  it('is refused when a POST is not JSON (415) or its client takes no JSON (406)', async () => {
    const server = await startServer()

    expect((await post(server, rpc('ping'), { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(server, rpc('ping'), { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await post(server, rpc('ping'), { accept: 'text/html' })).status).toBe(406)
  })

  it('takes JSON with a charset', async () => {
    const server = await startServer()

    const response = await post(server, rpc('ping'), { 'content-type': 'application/json; charset=utf-8' })

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Mcp-Session-Id')
  })

  it('is refused for a method that the endpoint does not have', async () => {
    const server = await startServer()

    const response = await fetch(server.url, { method: 'PUT' })

    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST, DELETE')
  })
})

function requestWith(headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  return request
}
