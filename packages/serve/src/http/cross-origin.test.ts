import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { openSession, post, rpc } from '../testing/wire.js'

const origin = 'https://app.example'
const preflight = {
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, mcp-param-region',
  },
}

describe('web pages of another origin', () => {
  it('may ask and read when their origin is allowed', async () => {
    const server = await startServer({}, { allowedOrigins: [origin] })

    const before = await fetch(server.url, preflight)
    expect(before.status).toBe(204)
    expect(before.headers.get('access-control-allow-origin')).toBe(origin)
    expect(before.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE')
    expect(before.headers.get('access-control-allow-headers')).toBe('content-type, mcp-param-region')

    const session = await openSession(server, { headers: { origin } })
    const answer = await post(server, rpc('ping'), session.headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('mcp-session-id')
    expect(answer.headers.get('vary')).toBe('origin')
  })

  it('may not when it is not allowed', async () => {
    const server = await startServer({}, { allowedOrigins: [origin] })

    const response = await fetch(server.url, {
      ...preflight,
      headers: { ...preflight.headers, origin: 'https://evil.example' },
    })

    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('may not when no origin was ever named, not even those on this machine', async () => {
    const server = await startServer()

    const response = await fetch(server.url, {
      ...preflight,
      headers: { ...preflight.headers, origin: 'http://localhost:6274' },
    })

    expect(response.status).toBe(405)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})
