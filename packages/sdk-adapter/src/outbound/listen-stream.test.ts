import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProtocolError } from '@modelcontextprotocol/client'
import type { ListenFilter } from './listen-stream.js'
import { ListenStream } from './listen-stream.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Closed = 'local' | 'graceful' | 'remote'

function subject(listen?: () => Promise<never>) {
  const opened: { readonly filter: ListenFilter; lose(): void; closed: boolean }[] = []
  const ending = new AbortController()
  const state = { filter: { toolsListChanged: true } as ListenFilter, failures: 0 }
  const client = {
    listen: async (filter: ListenFilter) => {
      if (listen !== undefined) return listen()
      let lose = () => {}
      const closed = new Promise<Closed>((resolve) => (lose = () => resolve('remote')))
      const entry = { filter, lose, closed: false }
      opened.push(entry)
      return { closed, close: async () => void (entry.closed = true) }
    },
  }
  const stream = new ListenStream({
    client: client as never,
    signal: ending.signal,
    filter: () => state.filter,
    failed: () => void (state.failures += 1),
  })
  return { stream, opened, state, ending }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

describe('ListenStream', () => {
  it('opens one subscription', async () => {
    const { opened } = subject()
    await settle()
    expect(opened.map(({ filter }) => filter)).toEqual([{ toolsListChanged: true }])
  })

  it('opens the new one before it ends the old one when what it asks for changes', async () => {
    const { stream, opened, state } = subject()
    await settle()
    state.filter = { resourceSubscriptions: ['a:b'] }
    stream.refresh()
    await settle()
    expect(opened.map(({ closed }) => closed)).toEqual([true, false])
    expect(opened[1]?.filter).toEqual({ resourceSubscriptions: ['a:b'] })
  })

  it('asks for nothing when there is nothing to ask for', async () => {
    const { stream, opened, state } = subject()
    await settle()
    state.filter = {}
    stream.refresh()
    await settle()
    expect(opened.map(({ closed }) => closed)).toEqual([true])
  })

  it('opens a lost one again after a wait', async () => {
    const { opened } = subject()
    await settle()
    opened[0]?.lose()
    await vi.advanceTimersByTimeAsync(999)
    expect(opened).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(opened).toHaveLength(2)
  })

  it('waits longer after each failure in a row', async () => {
    const { state } = subject(() => Promise.reject(new Error('no')))
    await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000)
    expect(state.failures).toBe(4)
  })

  it('gives up where there are no subscriptions', async () => {
    const { state } = subject(() => Promise.reject(new ProtocolError(-32601, 'Method not found')))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(state.failures).toBe(1)
  })

  it('ends its subscription when it is ended', async () => {
    const { opened, ending } = subject()
    await settle()
    ending.abort()
    await settle()
    expect(opened.map(({ closed }) => closed)).toEqual([true])
  })
})
