import { once } from 'node:events'
import { connect } from 'node:net'
import { Identity } from '@vmcp/domain'
import type { CallOptions, IncomingAuth } from '@vmcp/domain'
import { recordingLogger } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { rawPost, rawRequest } from '../testing/raw-request.js'
import { startServer } from '../testing/start-server.js'
import { openSession, post, rpc, stateless } from '../testing/wire.js'

const listing = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})

describe('the caller of a request', () => {
  it('is who the authenticator says, and reaches the VMCP as a parameter', async () => {
    const identity = new Identity({ issuer: 'https://idp.example', subject: 'alice' })
    const seen: unknown[] = []
    const server = await startServer(
      {
        listTools: async (caller) => {
          seen.push(caller)
          return []
        },
      },
      { incomingAuth: { authenticate: async () => ({ outcome: 'authenticated', identity }) } },
    )

    await stateless(server, 'tools/list')

    expect(seen).toEqual([identity])
  })

  it('is refused with the challenge of the authenticator, before its body is read', async () => {
    const challenge = 'Bearer realm="https://idp.example", error="invalid_token"'
    const server = await startServer(
      {},
      {
        incomingAuth: {
          authenticate: async () => ({ outcome: 'rejected', status: 401, message: 'no token', challenge }),
        },
      },
    )

    const response = await post(server, 'not JSON at all')

    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(challenge)
    expect(await response.json()).toEqual({ error: 'invalid_token', error_description: 'no token' })
  })

  it('is told to come again when it cannot be authenticated, and the reason is logged', async () => {
    const logger = recordingLogger()
    const incomingAuth = { authenticate: () => Promise.reject(new Error('key set unreachable')) }
    const server = await startServer({}, { incomingAuth, logger })

    const response = await post(server, rpc('ping'))

    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain('key set')
    expect(logger.lines.map((line) => line.level)).toContain('error')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['answers nothing', async () => undefined],
    [
      'gives a challenge that is no header',
      async () => ({ outcome: 'rejected', status: 401, message: 'no', challenge: 'Bearer error_description="→"' }),
    ],
  ])('is told to come again by an authenticator that %s, and the server goes on', async (_, authenticate) => {
    const logger = recordingLogger()
    // What an authenticator without types may answer.
    const incomingAuth = { authenticate } as IncomingAuth
    const server = await startServer({}, { incomingAuth, logger })

    for (let turn = 0; turn < 2; turn += 1) expect((await post(server, rpc('ping'))).status).toBe(503)

    expect(logger.lines.map((line) => line.level)).toEqual(['error', 'error'])
  })
})

describe('passthroughHeaders', () => {
  it('reach the VMCP in lower case, and others do not', async () => {
    const seen: (CallOptions | undefined)[] = []
    const server = await startServer(
      {
        listTools: async (_identity, options) => {
          seen.push(options)
          return []
        },
      },
      { passthroughHeaders: ['X-Tenant', 'x-absent'] },
    )

    await stateless(server, 'tools/list', {}, { 'x-tenant': 'blue', 'x-other': 'red' })

    expect(seen[0]?.forwardedHeaders).toEqual({ 'x-tenant': 'blue' })
  })

  it.each(['Authorization', 'cookie', 'Host', 'Connection', 'X-Forwarded-For', '', 'two words'])(
    'must not name %j',
    async (name) => {
      await expect(startServer({}, { passthroughHeaders: [name] })).rejects.toMatchObject({
        problems: [{ path: 'passthroughHeaders[0]' }],
      })
    },
  )
})

describe('too many requests at one time', () => {
  it('are refused with 503 and Retry-After, and the others are served', async () => {
    const release = deferred()
    const started = deferred()
    const server = await startServer(
      {
        callTool: async () => {
          started.resolve()
          await release.promise
          return { content: [] }
        },
      },
      { limits: { callsInFlight: 1 } },
    )
    const running = stateless(server, 'tools/call', { name: 'slow' })
    await started.promise

    const refused = await stateless(server, 'tools/list')

    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    release.resolve()
    expect((await running).status).toBe(200)
    expect((await stateless(server, 'tools/list')).status).toBe(200)
  })

  it('are refused for each session by itself', async () => {
    const release = deferred()
    const started = deferred()
    const server = await startServer(
      {
        callTool: async () => {
          started.resolve()
          await release.promise
          return { content: [] }
        },
      },
      { limits: { callsPerSession: 1 } },
    )
    const busy = await openSession(server)
    const idle = await openSession(server)
    const running = busy.request('tools/call', { name: 'slow' })
    await started.promise

    expect((await busy.send({ id: 2, method: 'tools/list' })).status).toBe(503)
    expect((await busy.request('ping')).result).toEqual({})
    expect((await idle.request('ping')).result).toEqual({})
    release.resolve()
    await running
  })
})

describe('a client that leaves', () => {
  const requestOn = (connection: string, length = listing.length) =>
    rawPost(
      {
        connection,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        'content-length': String(length),
      },
      listing,
    )

  it('while its requests wait behind one another cancels each of them, and leaves none counted', async () => {
    const [bothRun, bothCancelled] = [deferred(), deferred()]
    let running = 0
    let cancelled = 0
    const server = await startServer({
      listTools: async (_identity, options) => {
        options?.signal?.addEventListener('abort', () => (cancelled += 1) === 2 && bothCancelled.resolve())
        if ((running += 1) === 2) bothRun.resolve()
        return new Promise(() => {})
      },
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(requestOn('keep-alive') + requestOn('keep-alive'))
    await bothRun.promise

    socket.destroy()

    await bothCancelled.promise
    await server.close()
  })

  it.each([
    ['a request', listing.length],
    ['a request that is too large', 2 ** 30],
  ])('while it is being authenticated leaves nothing counted: %s', async (_, length) => {
    const [asked, known] = [deferred(), deferred()]
    const incomingAuth: IncomingAuth = {
      authenticate: async ({ headers }) => {
        if (headers['connection'] !== 'keep-alive') return { outcome: 'authenticated', identity: null }
        asked.resolve()
        await known.promise
        return { outcome: 'authenticated', identity: null }
      },
    }
    const server = await startServer({}, { incomingAuth, limits: { callsInFlight: 1 } })
    const socket = connect(server.port, '127.0.0.1')
    const gone = once(socket, 'close')
    socket.write(requestOn('keep-alive', length))
    await asked.promise
    socket.destroy()
    await gone
    expect((await rawRequest(server.port, requestOn('close'))).slice(0, 12)).toBe('HTTP/1.1 200')

    known.resolve()

    expect((await rawRequest(server.port, requestOn('close'))).slice(0, 12)).toBe('HTTP/1.1 200')
  })
})
