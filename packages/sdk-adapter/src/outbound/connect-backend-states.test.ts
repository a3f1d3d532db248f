import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, ClientChannel, InputRequired, OutgoingAuth } from '@vmcp/domain'
import { Identity, isInputRequired } from '@vmcp/domain'
import type { FixtureServer } from '../testing/index.js'
import { startFixtureServer } from '../testing/index.js'
import type { ConnectOptions } from './backend-target.js'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function fixture(): Promise<FixtureServer> {
  const server = await startFixtureServer({ era: '2026' })
  open.push(() => server.close())
  return server
}

function backend({ url }: FixtureServer, options: Partial<ConnectOptions> = {}): Required<BackendClient> {
  const client = connectBackend({ id: 'b1', target: { transport: 'streamable-http', url }, ...options })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

/** A client of 2026: it answers by calling again. */
const client: ClientChannel = {
  capabilities: { elicitation: { form: true } },
  answers: 'retry',
  wantsProgress: false,
  notify: () => {},
}
const ada = new Identity({ issuer: 'i', subject: 'ada' })
const bob = new Identity({ issuer: 'i', subject: 'bob' })
const accept = { action: 'accept', content: { name: 'Ada' } }
const refused = { _tag: 'InvalidRequestState' }

/** One credential for everybody, or one for each caller who has a name. */
function credentials(whose: 'shared' | 'own'): OutgoingAuth {
  const nameOf = (identity: Identity | null) => (whose === 'shared' ? 'everybody' : (identity?.subject ?? 'nobody'))
  return {
    type: 'test',
    credentialKey: nameOf,
    headers: async (identity) => ({ authorization: nameOf(identity) }),
  }
}

async function firstRound(wire: Required<BackendClient>, identity: Identity | null): Promise<Required<InputRequired>> {
  const asked = await wire.callTool(identity, { name: 'ask', arguments: { a: 1 } }, { client })
  if (!isInputRequired(asked)) throw new Error('expected a question')
  return asked as Required<InputRequired>
}

function retry(requestState: string) {
  return { name: 'ask', arguments: { a: 1 }, inputResponses: { name: accept }, requestState }
}

/** The states that reached the backend. */
function statesAt({ calls }: FixtureServer): readonly unknown[] {
  return calls.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.['requestState'])
}

describe('connectBackend and the state of a stateless backend', () => {
  it.each([
    ['no credentials', {}, ada],
    ['a credential that all callers share', { auth: credentials('shared') }, ada],
    ['no credential of the anonymous caller', { auth: credentials('own') }, null],
  ] as const)('seals it when there is %s, and gives the backend its own', async (_name, options, identity) => {
    const server = await fixture()
    const wire = backend(server, options)
    const { requestState } = await firstRound(wire, identity)
    expect(requestState).not.toContain('fixture-state')
    await wire.callTool(identity, retry(requestState), { client })
    expect(statesAt(server)).toEqual([undefined, 'fixture-state'])
  })

  it('relays it as it is when the caller has a credential of its own', async () => {
    const server = await fixture()
    const wire = backend(server, { auth: credentials('own') })
    const { requestState } = await firstRound(wire, ada)
    expect(requestState).toBe('fixture-state')
    await wire.callTool(ada, retry(requestState), { client })
    expect(statesAt(server)).toEqual([undefined, 'fixture-state'])
  })

  it('lets no other caller and no other call use it, and asks the backend nothing then', async () => {
    const server = await fixture()
    const wire = backend(server)
    const { requestState } = await firstRound(wire, ada)
    await expect(wire.callTool(bob, retry(requestState), { client })).rejects.toMatchObject(refused)
    await expect(wire.callTool(null, retry(requestState), { client })).rejects.toMatchObject(refused)
    const otherTool = { ...retry(requestState), name: 'echo' }
    await expect(wire.callTool(ada, otherTool, { client })).rejects.toMatchObject(refused)
    const otherArguments = { ...retry(requestState), arguments: { a: 2 } }
    await expect(wire.callTool(ada, otherArguments, { client })).rejects.toMatchObject(refused)
    await expect(wire.getPrompt(ada, { name: 'ask', requestState }, { client })).rejects.toMatchObject(refused)
    expect(statesAt(server)).toEqual([undefined])
  })

  it.each(['fixture-state', '', 'a.b.c.d.e'])('refuses %j, which was never sealed', async (requestState) => {
    const server = await fixture()
    await expect(backend(server).callTool(ada, retry(requestState), { client })).rejects.toMatchObject(refused)
    await expect(backend(server).callTool(ada, retry(requestState))).rejects.toMatchObject(refused)
    expect(statesAt(server)).toEqual([])
  })

  it('opens on a replica with the same keys for the same backend, and on no other', async () => {
    const server = await fixture()
    const stateKeys = [{ id: 'k', secret: new Uint8Array(32).fill(7) }]
    const { requestState } = await firstRound(backend(server, { stateKeys }), ada)
    const elsewhere = backend(server, { stateKeys, id: 'b2' })
    await expect(elsewhere.callTool(ada, retry(requestState), { client })).rejects.toMatchObject(refused)
    await expect(backend(server).callTool(ada, retry(requestState), { client })).rejects.toMatchObject(refused)
    await backend(server, { stateKeys }).callTool(ada, retry(requestState), { client })
    expect(statesAt(server)).toEqual([undefined, 'fixture-state'])
  })

  it('is not needed for answers alone: they are a new call of their caller', async () => {
    const server = await fixture()
    const request = { name: 'ask', arguments: { a: 1 }, inputResponses: { name: accept } }
    await backend(server).callTool(bob, request, { client })
    const call = server.calls.find(({ method }) => method === 'tools/call')
    expect(call?.params).toMatchObject({ inputResponses: { name: accept } })
    expect(call?.params).not.toHaveProperty('requestState')
  })
})
