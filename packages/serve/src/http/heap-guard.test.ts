import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { openSession, post, rpc, stateless } from '../testing/wire.js'
import { createHeapGuard } from './heap-guard.js'

describe('createHeapGuard', () => {
  it('measures anew only when its last measurement is old', () => {
    const clock = { now: 0 }
    const shares = [0.5, 0.9]
    const guard = createHeapGuard(
      () => shares.shift() ?? 0,
      () => clock.now,
    )

    expect(guard.isOver(0.85)).toBe(false)
    clock.now = 499
    expect(guard.isOver(0.85)).toBe(false)
    clock.now = 500
    expect(guard.isOver(0.85)).toBe(true)
    expect(guard.isOver(0.95)).toBe(false)
  })

  it('measures this process', () => {
    expect(createHeapGuard().isOver(0)).toBe(true)
    expect(createHeapGuard().isOver(1)).toBe(false)
  })
})

describe('a server that runs out of memory', () => {
  it('opens no new session and serves the rest', async () => {
    const server = await startServer({}, { limits: { heapShareForSessions: 0 } })

    const refused = await post(server, rpc('initialize', { protocolVersion: '2025-11-25' }))

    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('10')
    expect((await stateless(server, 'tools/list')).status).toBe(200)
  })

  it('refuses every request when it gets worse', async () => {
    const server = await startServer({}, { limits: { heapShareForCalls: 0 } })

    const refused = await stateless(server, 'tools/list')

    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(200)
  })

  it('is not what an ordinary test sees', async () => {
    expect((await openSession(await startServer())).id).not.toBe('')
  })
})
