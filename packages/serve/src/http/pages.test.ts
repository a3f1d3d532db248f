import type { BackendStatus, VmcpAdmin } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import type { RunningServer } from '../serve.js'
import { startServer } from '../testing/start-server.js'

describe('the pages beside the endpoint', () => {
  it.each(['/health', '/ping'])('SRV-H001 %s says that the process answers', async (path) => {
    const response = await page(await startServer(), path)

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  })

  it('SRV-H002 /readyz says that traffic may come', async () => {
    const response = await page(await startServer(), '/readyz')

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ready', mode: 'static' })
  })

  it.each(['/.well-known/oauth', '/.well-known/jwks.json', '/.well-known/oauth-protected-resource'])(
    'SRV-H007 %s answers 404 in JSON',
    async (path) => {
      const response = await page(await startServer(), path)

      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ error: 'not_found' })
    },
  )

  it('answers an unknown path with 404', async () => {
    expect((await page(await startServer(), '/mcp/other')).status).toBe(404)
  })
})

describe('/status', () => {
  it('SRV-H004 is healthy when one backend is, and lists them all', async () => {
    const server = await startServer({}, { admin: adminOf([backend('one', 'healthy'), backend('two', 'unhealthy')]) })

    const response = await page(server, '/status')
    const body: unknown = await response.json()

    expect(body).toMatchObject({ healthy: true, version: '1.0.0', backends: [{ name: 'one' }, { name: 'two' }] })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('SRV-H005 names how each backend is authenticated with', async () => {
    const backends = [{ ...backend('one', 'healthy'), authentication: 'token_exchange' }, backend('two', 'healthy')]
    const response = await page(await startServer({}, { admin: adminOf(backends) }), '/status')

    expect(await response.json()).toMatchObject({
      backends: [{ auth_type: 'token_exchange' }, { auth_type: 'unauthenticated' }],
    })
  })

  it('is not healthy without backends', async () => {
    const response = await page(await startServer({}, { admin: adminOf([]) }), '/status')

    expect(await response.json()).toMatchObject({ healthy: false, backends: [] })
  })

  it('is not there without an admin, when it is off, and, by default, beyond loopback', async () => {
    const admin = adminOf([])

    expect((await page(await startServer(), '/status')).status).toBe(404)
    expect((await page(await startServer({}, { admin, status: 'off' }), '/status')).status).toBe(404)
    expect((await page(await startServer({}, { admin, host: '0.0.0.0' }), '/status')).status).toBe(404)
    expect((await page(await startServer({}, { admin, host: '0.0.0.0', status: 'public' }), '/status')).status).toBe(
      200,
    )
  })

  it('takes GET and HEAD only', async () => {
    const server = await startServer({}, { admin: adminOf([]) })

    expect((await page(server, '/status', 'POST')).status).toBe(405)
    expect((await page(server, '/status', 'HEAD')).status).toBe(200)
  })
})

function page(server: RunningServer, path: string, method = 'GET'): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { method })
}

function backend(name: string, health: BackendStatus['health']): BackendStatus {
  return { id: name, name, health, consecutiveFailures: 0 }
}

function adminOf(backends: readonly BackendStatus[]): VmcpAdmin {
  return {
    listAllBackends: () => backends,
    listBackends: async () => backends,
    report: () => Promise.reject(new Error('not asked')),
    explain: () => Promise.reject(new Error('not asked')),
  }
}
