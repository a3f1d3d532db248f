import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, ClientChannel, InputRequired } from '@vmcp/domain'
import { Identity, isInputRequired, text } from '@vmcp/domain'
import type { FixtureServer, FixtureServerOptions } from '../testing/index.js'
import { startFixtureServer, stdioFixture } from '../testing/index.js'
import type { BackendLimits, BackendTarget } from './backend-target.js'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function fixture(options: FixtureServerOptions): Promise<FixtureServer> {
  const server = await startFixtureServer(options)
  open.push(() => server.close())
  return server
}

function backend(target: BackendTarget, limits: BackendLimits = {}): Required<BackendClient> {
  const client = connectBackend({ id: 'b1', target, limits })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

const overHttp = (url: string) => backend({ transport: 'streamable-http', url })

/** A client of 2026: it answers by calling again. */
const client: ClientChannel = {
  capabilities: { elicitation: { form: true } },
  answers: 'retry',
  wantsProgress: false,
  notify: () => {},
}
const accept = { action: 'accept', content: { name: 'Ada' } }
const ada = new Identity({ issuer: 'i', subject: 'ada' })
const bob = new Identity({ issuer: 'i', subject: 'bob' })

async function firstRound(wire: Required<BackendClient>): Promise<Required<InputRequired>> {
  const asked = await wire.callTool(ada, { name: 'ask' }, { client })
  if (!isInputRequired(asked)) throw new Error('expected a question')
  return asked as Required<InputRequired>
}

const answersTo = ({ inputRequests }: InputRequired, answer: object) =>
  Object.fromEntries(Object.keys(inputRequests ?? {}).map((key) => [key, { ...answer }]))

describe('connectBackend between a client of 2026 and a backend of 2025', () => {
  const targets: readonly (readonly [string, () => Promise<BackendTarget>])[] = [
    ['SDK 1.x', async () => ({ transport: 'streamable-http', url: (await fixture({ sdk: 'v1' })).url })],
    ['SDK 2.x', async () => ({ transport: 'streamable-http', url: (await fixture({ era: '2025' })).url })],
    ['a process', async () => ({ transport: 'stdio', ...stdioFixture({ sdk: 'none' }) })],
  ]

  it.each(targets)('holds the call open until the client has answered: %s', async (_name, target) => {
    const wire = backend(await target())
    const asked = await firstRound(wire)
    const [question] = Object.values(asked.inputRequests)
    expect(question).toMatchObject({ method: 'elicitation/create' })
    const { requestState } = asked
    const inputResponses = answersTo(asked, accept)
    const result = await wire.callTool(ada, { name: 'ask', inputResponses, requestState }, { client })
    expect(result).toMatchObject({ content: [text(JSON.stringify(accept))] })
  })

  it('calls the backend once', async () => {
    const server = await fixture({ era: '2025' })
    const wire = overHttp(server.url)
    const asked = await firstRound(wire)
    const inputResponses = answersTo(asked, accept)
    await wire.callTool(ada, { name: 'ask', inputResponses, requestState: asked.requestState }, { client })
    expect(server.count('tools/call')).toBe(1)
  })

  it('asks again for an answer that is missing, under a new state', async () => {
    const wire = overHttp((await fixture({ era: '2025' })).url)
    const first = await firstRound(wire)
    const second = await wire.callTool(ada, { name: 'ask', requestState: first.requestState }, { client })
    expect(second).toMatchObject({ inputRequests: first.inputRequests })
    expect((second as InputRequired).requestState).not.toBe(first.requestState)
  })

  it('lets nobody else take the call up, and nobody twice', async () => {
    const wire = overHttp((await fixture({ era: '2025' })).url)
    const asked = await firstRound(wire)
    const retry = { name: 'ask', inputResponses: answersTo(asked, accept), requestState: asked.requestState }
    const refused = { _tag: 'InvalidRequestState' }
    await expect(wire.callTool(bob, retry, { client })).rejects.toMatchObject(refused)
    await expect(wire.callTool(ada, { ...retry, name: 'echo' }, { client })).rejects.toMatchObject(refused)
    await wire.callTool(ada, retry, { client })
    await expect(wire.callTool(ada, retry, { client })).rejects.toMatchObject(refused)
  })

  it('refuses a state of another process', async () => {
    const wire = overHttp((await fixture({ era: '2025' })).url)
    const call = wire.callTool(ada, { name: 'ask', requestState: 'vmcp-held.elsewhere' }, { client })
    await expect(call).rejects.toMatchObject({ _tag: 'InvalidRequestState' })
  })

  it('gives the call up at the backend when a round is cancelled', async () => {
    const server = await fixture({ era: '2025' })
    const wire = overHttp(server.url)
    const controller = new AbortController()
    const call = wire.callTool(ada, { name: 'hang' }, { client, signal: controller.signal })
    const { id } = await server.arrived(({ params }) => params?.['name'] === 'hang')
    controller.abort()
    await expect(call).rejects.toMatchObject({ _tag: 'Cancelled' })
    const cancelled = await server.arrived(({ method }) => method === 'notifications/cancelled')
    expect(cancelled.params?.['requestId']).toBe(id)
  })

  it('leaves the sockets of other calls alone while calls wait', async () => {
    const { url } = await fixture({ era: '2025' })
    const wire = backend({ transport: 'streamable-http', url }, { maxConnections: 2 })
    await Promise.all(Array.from({ length: 4 }, () => firstRound(wire)))
    await wire.callTool(ada, { name: 'echo', arguments: { text: 'still here' } })
  })

  it('gives waiting calls up on close', async () => {
    const server = await fixture({ era: '2025' })
    const wire = overHttp(server.url)
    await firstRound(wire)
    await wire.close()
    await server.arrived(({ method }) => method === 'notifications/cancelled')
  })

  it('tells the backend that the client cannot be asked what it did not declare', async () => {
    const wire = overHttp((await fixture({ era: '2025' })).url)
    const rooted: ClientChannel = { ...client, capabilities: { roots: true } }
    await expect(wire.callTool(ada, { name: 'ask' }, { client: rooted })).rejects.toBeDefined()
  })
})
