import type { BackendClient, BackendCallOptions, ClientChannel } from '@vmcp/domain'
import { silentLogger } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { done, fakeChannel, startSessionBackend } from '@vmcp/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stdioFixture } from '../testing/index.js'
import type { BackendLimits, BackendTarget } from './backend-target.js'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

function backend(target: BackendTarget, limits: BackendLimits): Required<BackendClient> {
  const client = connectBackend({ id: 'b1', target, limits, logger: silentLogger })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

/** A backend over HTTP that answers calls when the test says so. */
async function heldBackend() {
  const held: RawRequest[] = []
  const server = await startSessionBackend({ 'tools/call': (request) => void held.push(request) })
  open.push(() => server.close())
  return { url: server.url, held }
}

const askable = (answers: ClientChannel['answers']) =>
  fakeChannel({ answers, ...(answers === 'push' && { forward: async () => ({ action: 'decline' }) }) })
const busy = {
  _tag: 'BackendUnavailable',
  reason: 'unhealthy',
  message: 'backend unavailable: b1 (too many calls wait for it)',
}

describe('connectBackend with calls whose client can be asked', () => {
  it.each(['push', 'retry'] as const)(
    'REL-B2 refuses at once what is one too many, of a client that answers by %s',
    async (answers) => {
      const { url, held } = await heldBackend()
      const client = backend({ transport: 'streamable-http', url }, { maxAskable: 2 })
      const call = (options: BackendCallOptions = {}) => client.callTool(null, { name: 'x' }, options)
      const calls = [1, 2].map(() => call({ client: askable(answers) }))
      await vi.waitFor(() => expect(held).toHaveLength(2))
      await expect(call({ client: askable(answers) })).rejects.toMatchObject(busy)
      const plain = call()
      await vi.waitFor(() => expect(held).toHaveLength(3))
      for (const request of held) request.result(done)
      await expect(Promise.all([...calls, plain])).resolves.toHaveLength(3)
      held.length = 0
      const later = call({ client: askable(answers) })
      await vi.waitFor(() => expect(held).toHaveLength(1))
      held[0]?.result(done)
      await expect(later).resolves.toEqual(done)
    },
  )
})

describe('connectBackend with a program', () => {
  it('REL-B2 refuses at once what is more than its places, and lists all the same', async () => {
    const target = { transport: 'stdio' as const, ...stdioFixture({ sdk: 'none' }) }
    const client = backend(target, { maxConnections: 1, maxWaiting: 1 })
    const controller = new AbortController()
    const hanging = [1, 2].map(() => client.callTool(null, { name: 'hang' }, { signal: controller.signal }))
    await expect(client.callTool(null, { name: 'echo', arguments: { text: 'x' } })).rejects.toMatchObject(busy)
    await expect(client.listTools(null, {})).resolves.toMatchObject({ items: expect.any(Array) })
    controller.abort()
    await Promise.allSettled(hanging)
    await expect(client.callTool(null, { name: 'echo', arguments: { text: 'x' } })).resolves.toBeDefined()
  })
})
