import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient } from '@vmcp/domain'
import { text } from '@vmcp/domain'
import type { RawRequest, RawServer } from '@vmcp/testing'
import { startRawServer } from '@vmcp/testing'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const capabilities = { tools: {} }
const done = { content: [text('done')] }

/** A server whose era the test can change while it runs. */
async function changingServer(first: '2025' | '2026') {
  const state = { era: first, refuses: -32600, discover: (_request: RawRequest): boolean => false }
  const server = await startRawServer((request) => {
    const { method } = request.message
    if (method === 'server/discover' && state.discover(request)) return
    if (state.era === '2026') return answerStateless(request, state.refuses)
    return answerSession(request)
  })
  open.push(() => server.close())
  return { state, server }
}

function answerStateless(request: RawRequest, refusal = -32600): void {
  const { method } = request.message
  const supportedVersions = ['2026-07-28']
  if (request.headers['mcp-protocol-version'] !== '2026-07-28') {
    return request.error(400, { code: refusal, message: 'no envelope' }, null)
  }
  if (method === 'tools/list') return request.error(404, { code: -32601, message: 'Method not found' })
  if (method === 'server/discover') {
    return request.result({ resultType: 'complete', supportedVersions, capabilities, ttlMs: 0, cacheScope: 'private' })
  }
  if (method === 'tools/call') return request.result({ resultType: 'complete', ...done })
  return request.error(400, { code: -32022, message: 'no', data: { supported: supportedVersions } }, null)
}

function answerSession(request: RawRequest): void {
  const { method } = request.message
  if (method === 'initialize') {
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } }
    return request.result(result, { 'mcp-session-id': 'one' })
  }
  if (method === 'notifications/initialized') return void request.response.writeHead(202).end()
  if (request.headers['mcp-session-id'] === 'one') return request.result(done)
  return request.error(400, { code: -32000, message: 'Bad Request: Session ID required' }, null)
}

function backend(server: RawServer): Required<BackendClient> {
  const client = connectBackend({ id: 'b1', target: { transport: 'streamable-http', url: server.url } })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

describe('connectBackend and the era of a backend', () => {
  it('asks once and remembers', async () => {
    const { server } = await changingServer('2026')
    const client = backend(server)
    for (let call = 0; call < 3; call += 1) await client.callTool(null, { name: 'x' })
    expect(server.count('server/discover')).toBe(1)
  })

  it('asks again for what a backend offers that first refused the way it was asked', async () => {
    const { server, state } = await changingServer('2026')
    let asked = 0
    state.discover = (request) => {
      asked += 1
      if (asked > 1) return false
      request.error(400, { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } })
      return true
    }
    expect((await backend(server).describe(null)).capabilities).toEqual(capabilities)
    expect(server.count('server/discover')).toBe(2)
  })

  it('AGG-M05 uses the older handshake for once when the question fails in passing', async () => {
    const { server, state } = await changingServer('2025')
    state.discover = ({ response }) => {
      response.writeHead(503).end()
      return true
    }
    expect(await backend(server).callTool(null, { name: 'x' })).toEqual(done)
  })

  it('follows a backend that moves to the second era, and calls it once', async () => {
    const { server, state } = await changingServer('2025')
    const client = backend(server)
    await client.callTool(null, { name: 'x' })
    state.era = '2026'
    expect(await client.callTool(null, { name: 'x' })).toEqual(done)
    expect((await client.describe(null)).protocolVersion).toBe('2026-07-28')
  })

  it('follows one that refuses the old revision by its own code', async () => {
    const { server, state } = await changingServer('2025')
    const client = backend(server)
    await client.callTool(null, { name: 'x' })
    state.era = '2026'
    state.refuses = -32022
    expect(await client.callTool(null, { name: 'x' })).toEqual(done)
    expect((await client.describe(null)).protocolVersion).toBe('2026-07-28')
  })

  it('follows a backend that moves back, because it refused before it carried out the call', async () => {
    const { server, state } = await changingServer('2026')
    const client = backend(server)
    await client.callTool(null, { name: 'x' })
    state.era = '2025'
    expect(await client.callTool(null, { name: 'x' })).toEqual(done)
    expect((await client.describe(null)).protocolVersion).toBe('2025-11-25')
  })

  // The reference answers an error. 2026-07-28 has a client take a result without resultType for a complete one.
  it('AGG-M08 takes the result of an older server, does not repeat the call, and asks for the era again', async () => {
    let isOld = false
    let ran = 0
    const server = await startRawServer((request) => {
      if (isOld && request.message['method'] === 'server/discover')
        return request.error(404, { code: -32601, message: '' })
      if (isOld && request.message['method'] === 'tools/call') {
        ran += 1
        return request.result(done)
      }
      return isOld ? answerSession(request) : answerStateless(request)
    })
    open.push(() => server.close())
    const client = backend(server)
    await client.callTool(null, { name: 'x' })
    isOld = true
    expect(await client.callTool(null, { name: 'x' })).toEqual(done)
    expect(ran).toBe(1)
    expect((await client.describe(null)).protocolVersion).toBe('2025-11-25')
  })

  it('keeps to a backend that never says of a result what it is', async () => {
    const server = await startRawServer((request) =>
      request.message['method'] === 'tools/call' ? request.result(done) : answerStateless(request),
    )
    open.push(() => server.close())
    const client = backend(server)
    for (let call = 0; call < 3; call += 1) expect(await client.callTool(null, { name: 'x' })).toEqual(done)
    expect(server.count('server/discover')).toBe(1)
  })

  it('AGG-M09 takes an error of the call for an answer', async () => {
    const { server } = await changingServer('2026')
    const client = backend(server)
    await client.callTool(null, { name: 'x' })
    await expect(client.listTools(null, {})).rejects.toMatchObject({ _tag: 'BackendRejected' })
    expect(server.count('tools/list')).toBe(1)
    expect(server.count('server/discover')).toBe(1)
  })

  it('AGG-M10 AGG-M18 tries each era once when a backend stops to speak either', async () => {
    let isGone = false
    const server = await startRawServer((request) =>
      isGone
        ? void request.response.writeHead(404, { 'content-type': 'text/plain' }).end('gone')
        : answerStateless(request),
    )
    open.push(() => server.close())
    const client = backend(server)
    await client.callTool(null, { name: 'x' })
    isGone = true
    await expect(client.callTool(null, { name: 'x' })).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      status: 404,
    })
    expect(server.count('tools/call')).toBe(2)
    expect(server.count('initialize')).toBe(1)
  })

  it('AGG-M11 asks nothing again after a refusal of credentials or a failure in passing', async () => {
    let status = 200
    const server = await startRawServer((request) => {
      if (request.message['method'] === 'tools/call' && status !== 200)
        return void request.response.writeHead(status).end()
      return answerStateless(request)
    })
    open.push(() => server.close())
    const client = backend(server)
    await client.callTool(null, { name: 'x' })
    for (status of [401, 503]) await expect(client.callTool(null, { name: 'x' })).rejects.toBeDefined()
    expect(server.count('server/discover')).toBe(1)
    expect(server.count('tools/call')).toBe(3)
  })
})
