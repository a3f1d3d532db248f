import { BackendUnavailable } from '@vmcp/domain'
import type { Backend, BackendDescription } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { startBackend } from './backend-start.js'
import type { BackendStart } from './backend-start.js'

const description: BackendDescription = { capabilities: { tools: {} } }

function backendThat(describe: () => Promise<BackendDescription>): Backend {
  return { id: 'b1', client: { describe, close: async () => {} } }
}

describe('startBackend', () => {
  it('tells of a backend that answers', async () => {
    const told: BackendStart[] = []
    const backend = backendThat(async () => description)
    await startBackend(backend, { patienceMs: 60_000, onStart: (start) => told.push(start) })
    expect(told).toEqual([{ id: 'b1', outcome: 'connected', description }])
  })

  it('tells of a backend that fails', async () => {
    const told: BackendStart[] = []
    const error = new BackendUnavailable('b1', 'unreachable')
    const backend = backendThat(() => Promise.reject(error))
    await startBackend(backend, { patienceMs: 60_000, onStart: (start) => told.push(start) })
    expect(told).toEqual([{ id: 'b1', outcome: 'failed', error }])
  })

  it('says of a backend that takes long that it is waited for, and later what came of it', async () => {
    const told: BackendStart[] = []
    let answer: (description: BackendDescription) => void = () => {}
    const backend = backendThat(() => new Promise((resolve) => (answer = resolve)))
    const connected = new Promise<void>((resolve) => {
      void startBackend(backend, {
        patienceMs: 1,
        onStart: (start) => {
          told.push(start)
          if (start.outcome === 'waiting') answer(description)
          else resolve()
        },
      })
    })
    await connected
    expect(told).toEqual([
      { id: 'b1', outcome: 'waiting' },
      { id: 'b1', outcome: 'connected', description },
    ])
  })
})
