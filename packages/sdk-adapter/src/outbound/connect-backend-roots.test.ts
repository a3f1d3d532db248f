import type { BackendClient, ClientCapabilities, JsonObject } from '@vmcp/domain'
import { Identity, isJsonObject } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { done, fakeChannel, greeting, startSessionBackend, startSessionProgram } from '@vmcp/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const ada = new Identity({ issuer: 'i', subject: 'ada' })
const bob = new Identity({ issuer: 'i', subject: 'bob' })
const rooted: ClientCapabilities = { roots: true, rootsListChanged: true }
const news = 'notifications/roots/list_changed'

/** A client that has one folder, and can be asked for it. */
function clientIn(folder: string, capabilities = rooted) {
  return fakeChannel({ capabilities, forward: () => ({ roots: [{ uri: `file:///${folder}` }] }) })
}

/** A backend of 2025 that does something on the stream of a session when it hears that folders have changed. */
async function startBackend(onNews: (stream: RawRequest) => void | Promise<void> = () => {}) {
  const declared: JsonObject[] = []
  const told: string[] = []
  const streams = new Map<string, RawRequest>()
  const server = await startSessionBackend({
    initialize: (request) => {
      const { params } = request.message
      declared.push(isJsonObject(params) && isJsonObject(params['capabilities']) ? params['capabilities'] : {})
      request.result(greeting, { 'mcp-session-id': `s${declared.length}` })
    },
    GET: (request) => {
      request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.set(String(request.headers['mcp-session-id']), request)
    },
    DELETE: ({ response }) => void response.writeHead(200).end(),
    'tools/call': (request) => request.result(done),
    [news]: async ({ headers, response }) => {
      response.writeHead(202).end()
      const session = String(headers['mcp-session-id'])
      told.push(session)
      const stream = streams.get(session)
      if (stream !== undefined) await onNews(stream)
    },
  })
  open.push(() => server.close())
  const client = connectBackend({ id: 'b1', target: { transport: 'streamable-http', url: server.url } })
  open.push(() => client.close())
  return { client: client as Required<BackendClient>, declared, told }
}

/** Ends when the backend has heard of a change that is told after everything else, by a caller whose session is `session`. */
async function newsOf(caller: Identity, { client, told, session }: Later): Promise<void> {
  const later = clientIn('later')
  await client.callTool(caller, { name: 'x' }, { client: later })
  client.rootsChanged(caller, later)
  await vi.waitFor(() => expect(told).toContain(session))
}

interface Later {
  readonly client: Required<BackendClient>
  readonly told: readonly string[]
  readonly session: string
}

describe('the news that the folders of a client have changed', () => {
  it('protocol 45 reach the session of that client, and no other', async () => {
    const { client, declared, told } = await startBackend()
    const [ofAda, ofBob] = [clientIn('ada'), clientIn('bob')]
    await client.callTool(ada, { name: 'x' }, { client: ofAda })
    await client.callTool(bob, { name: 'x' }, { client: ofBob })
    expect(declared).toEqual([{}, { roots: { listChanged: true } }, { roots: { listChanged: true } }])
    client.rootsChanged(bob, ofBob)
    await vi.waitFor(() => expect(told).toEqual(['s3']))
    client.rootsChanged(ada, ofAda)
    await vi.waitFor(() => expect(told).toEqual(['s3', 's2']))
  })

  it('reach nobody when that client has no session, or never said that it tells', async () => {
    const { client, told } = await startBackend()
    const silent = clientIn('a', { roots: true })
    client.rootsChanged(ada, clientIn('ada'))
    await client.callTool(ada, { name: 'x' }, { client: silent })
    client.rootsChanged(ada, silent)
    client.rootsChanged(ada, clientIn('ada'))
    await newsOf(bob, { client, told, session: 's3' })
    expect(told).toEqual(['s3'])
  })

  it('let the backend ask that client for its folders at once, though no call runs', async () => {
    const answers: JsonObject[] = []
    const { client } = await startBackend(async (stream) => void answers.push(await stream.ask('roots/list')))
    const ofAda = clientIn('ada')
    await client.callTool(ada, { name: 'x' }, { client: ofAda })
    client.rootsChanged(ada, ofAda)
    await vi.waitFor(() => expect(answers).toMatchObject([{ result: { roots: [{ uri: 'file:///ada' }] } }]))
    expect(ofAda.forwarded).toEqual([{ method: 'roots/list' }])
  })

  it('let it ask for nothing else', async () => {
    const answers: JsonObject[] = []
    const asking = { message: 'Who?', requestedSchema: {} }
    const { client } = await startBackend(
      async (stream) => void answers.push(await stream.ask('elicitation/create', asking)),
    )
    const ofAda = clientIn('ada', { ...rooted, elicitation: { form: true } })
    await client.callTool(ada, { name: 'x' }, { client: ofAda })
    client.rootsChanged(ada, ofAda)
    await vi.waitFor(() => expect(answers).toMatchObject([{ error: { code: -32601 } }]))
    expect(ofAda.forwarded).toEqual([])
  })

  it('are told once when they come faster than the backend takes them', async () => {
    const { client, told } = await startBackend()
    const ofAda = clientIn('ada')
    await client.callTool(ada, { name: 'x' }, { client: ofAda })
    for (let times = 0; times < 100; times += 1) client.rootsChanged(ada, ofAda)
    await vi.waitFor(() => expect(told).toEqual(['s2', 's2']))
    await newsOf(bob, { client, told, session: 's3' })
    expect(told).toEqual(['s2', 's2', 's3'])
  })

  it('reach a program, which may ask then as well', async () => {
    const answers: JsonObject[] = []
    const program = await startSessionProgram({
      'tools/call': (line) => line.result(done),
      [news]: async (line) => void answers.push(await line.ask('roots/list')),
    })
    const { command, args } = program
    const client = connectBackend({
      id: 'b1',
      target: { transport: 'stdio', command, args },
    }) as Required<BackendClient>
    open.push(
      () => program.close(),
      () => client.close(),
    )
    const ofAda = clientIn('ada')
    await client.callTool(ada, { name: 'x' }, { client: ofAda })
    client.rootsChanged(ada, ofAda)
    await vi.waitFor(() => expect(answers).toMatchObject([{ result: { roots: [{ uri: 'file:///ada' }] } }]))
  })
})
