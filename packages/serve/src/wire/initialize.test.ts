import type { VmcpEvents } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import type { Json } from '../testing/wire.js'
import { openSession, post, rpc } from '../testing/wire.js'

describe('initialize', () => {
  it('SRV-S014 opens a session and announces what is served', async () => {
    const server = await startServer({}, { events: silentEvents(), instructions: 'Ask nicely.' })
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }

    const response = await post(server, rpc('initialize', params))

    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]+$/)
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: {
          logging: {},
          completions: {},
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
        },
        serverInfo: { name: 'vmcp', version: '1.0.0' },
        instructions: 'Ask nicely.',
      },
    })
  })

  it('announces no changes when nothing tells of them', async () => {
    const response = await post(await startServer(), rpc('initialize', { protocolVersion: '2025-11-25' }))

    const { result } = (await response.json()) as Json
    expect(result.capabilities).toEqual({ logging: {}, completions: {}, tools: {}, resources: {}, prompts: {} })
  })

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('answers a client of %s with %s', async (requested, answered) => {
    const response = await post(await startServer(), rpc('initialize', { protocolVersion: requested }))

    expect(((await response.json()) as Json).result.protocolVersion).toBe(answered)
  })

  it('is refused without a protocol version, and inside a session', async () => {
    const server = await startServer()
    const session = await openSession(server)

    const bare = await post(server, rpc('initialize'))
    expect(await bare.json()).toMatchObject({ error: { code: -32602 } })
    const again = await session.send({ id: 9, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ id: 9, error: { code: -32600 } })
  })

  it('is refused with 503 and Retry-After when there are too many sessions', async () => {
    const server = await startServer({}, { sessions: { max: 1 } })
    await openSession(server)

    const response = await post(server, rpc('initialize', { protocolVersion: '2025-11-25' }))

    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('10')
    expect(response.headers.get('mcp-session-id')).toBeNull()
  })
})

function silentEvents(): VmcpEvents {
  return { subscribe: () => () => {} }
}
