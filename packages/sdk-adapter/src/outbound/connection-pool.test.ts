import { describe, expect, it } from 'vitest'
import type { Connection } from './connection.js'
import { ConnectionPool } from './connection-pool.js'

interface Fake {
  readonly name: string
  readonly closed: boolean
}

function pool(options: { readonly maxConnections?: number; readonly idleMs?: number } = {}) {
  const state = { now: 0, replaced: 0 }
  const made = new ConnectionPool({
    maxConnections: 10,
    idleMs: 1_000,
    ...options,
    now: () => state.now,
    onReplaced: () => void (state.replaced += 1),
  })
  return { made, state }
}

function fake(name: string): Connection & Fake {
  const connection = {
    name,
    closed: false,
    isSpent: false,
    isWatched: false,
    retire: () => {},
    close: async () => void (connection.closed = true),
  }
  return connection as unknown as Connection & Fake
}

const opening = (connection: Connection) => ({ open: async () => connection })

describe('ConnectionPool', () => {
  it('opens a connection once for all who ask at the same time', async () => {
    const { made } = pool()
    let opened = 0
    const open = async () => {
      opened += 1
      return fake('one')
    }
    await Promise.all(Array.from({ length: 20 }, () => made.using('k', { open }, async () => {})))
    expect(opened).toBe(1)
  })

  it('opens again after an opening that failed', async () => {
    const { made } = pool()
    const failing = made.using('k', { open: () => Promise.reject(new Error('no')) }, async () => {})
    await expect(failing).rejects.toThrow('no')
    const used = await made.using('k', opening(fake('two')), async (connection) => connection as Connection & Fake)
    expect(used.name).toBe('two')
  })

  it('stops an opening only when the last who wait have given up', async () => {
    const { made } = pool()
    const one = new AbortController()
    const two = new AbortController()
    let stopped = false
    const open = (signal: AbortSignal) =>
      new Promise<Connection>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true
          reject(new Error('stopped'))
        })
      })
    const waiting = [one, two].map(({ signal }) => made.using('k', { open, signal }, async () => {}).catch(() => {}))
    one.abort()
    await waiting[0]
    expect(stopped).toBe(false)
    two.abort()
    await waiting[1]
    expect(stopped).toBe(true)
  })

  it('replaces a lost connection once, however many report it', async () => {
    const { made, state } = pool()
    const lost = fake('lost')
    await made.using('k', opening(lost), async () => {})
    made.lose('k', lost)
    made.lose('k', lost)
    const next = fake('next')
    await made.using('k', opening(next), async () => {})
    made.lose('k', lost)
    expect(made.connections).toEqual([next])
    expect(state.replaced).toBe(1)
  })

  it('closes the idlest when there are too many, and never one in use', async () => {
    const { made, state } = pool({ maxConnections: 2 })
    const busy = fake('busy')
    const idle = fake('idle')
    let release = () => {}
    const using = made.using('busy', opening(busy), () => new Promise<void>((resolve) => (release = resolve)))
    state.now = 10
    await made.using('idle', opening(idle), async () => {})
    await made.using('third', opening(fake('third')), async () => {})
    expect([busy.closed, idle.closed]).toEqual([false, true])
    release()
    await using
  })

  it('closes what has been idle for too long', async () => {
    const { made, state } = pool({ idleMs: 1_000 })
    const old = fake('old')
    await made.using('old', opening(old), async () => {})
    state.now = 1_000
    await made.using('new', opening(fake('new')), async () => {})
    expect(old.closed).toBe(true)
  })

  it('closes all on close and opens no more', async () => {
    const { made } = pool()
    const one = fake('one')
    await made.using('k', opening(one), async () => {})
    await made.close()
    expect(one.closed).toBe(true)
    await expect(made.using('k', opening(one), async () => {})).rejects.toThrow()
  })
})
