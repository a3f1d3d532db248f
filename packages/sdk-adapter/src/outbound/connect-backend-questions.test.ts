import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, ClientChannel, InputRequest, InputRequired, JsonObject, OutgoingAuth } from '@vmcp/domain'
import { Identity, text } from '@vmcp/domain'
import type { FixtureServerOptions } from '../testing/index.js'
import { startFixtureServer, stdioFixture } from '../testing/index.js'
import type { RawRequest, RawServer } from '@vmcp/testing'
import { startRawServer } from '@vmcp/testing'
import type { BackendTarget } from './backend-target.js'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

function backend(target: BackendTarget, auth?: OutgoingAuth): Required<BackendClient> {
  const client = connectBackend({ id: 'b1', target, ...(auth && { auth }) })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

const overHttp = (url: string) => backend({ transport: 'streamable-http', url })

/** A client of 2025 that answers every question with `answer`. */
function pushClient(answer: () => JsonObject | Promise<JsonObject>, capabilities = formElicitation) {
  const asked: InputRequest[] = []
  const client: ClientChannel = {
    capabilities,
    answers: 'push',
    wantsProgress: false,
    notify: () => {},
    forward: async (request) => {
      asked.push(request)
      return answer()
    },
  }
  return { client, asked }
}

const formElicitation: ClientChannel['capabilities'] = { elicitation: { form: true } }
const accept = { action: 'accept', content: { name: 'Ada' } }
const ada = new Identity({ issuer: 'i', subject: 'ada' })
const bob = new Identity({ issuer: 'i', subject: 'bob' })

function firstText(result: object): string {
  const { content = [] } = result as { readonly content?: readonly { readonly text: string }[] }
  return content[0]?.text ?? ''
}

const servers: readonly FixtureServerOptions[] = [{ sdk: 'v1' }, { sdk: 'v2', era: '2025' }, { sdk: 'v2', era: '2026' }]

describe.each(servers)('a question of a backend of SDK $sdk, era $era, to a client of 2025', (options) => {
  it('reaches the client of its call, and the answer reaches the backend', async () => {
    const server = await startFixtureServer(options)
    open.push(() => server.close())
    const { client, asked } = pushClient(() => accept)
    const result = await overHttp(server.url).callTool(ada, { name: 'ask' }, { client })
    expect(JSON.parse(firstText(result))).toEqual(accept)
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Who are you?', mode: 'form' } }])
  })

  it('AGG-L17 fails the call when the client fails to answer', async () => {
    const server = await startFixtureServer(options)
    open.push(() => server.close())
    const { client } = pushClient(() => Promise.reject(new Error('gone')))
    await expect(overHttp(server.url).callTool(ada, { name: 'ask' }, { client })).rejects.toBeDefined()
  })
})

describe.each(['v1', 'v2', 'none'] as const)('a question of a process of SDK %s', (sdk) => {
  it('reaches the client of its call', async () => {
    const { client, asked } = pushClient(() => accept)
    const process = backend({ transport: 'stdio', ...stdioFixture({ sdk }) })
    expect(JSON.parse(firstText(await process.callTool(ada, { name: 'ask' }, { client })))).toEqual(accept)
    expect(asked).toHaveLength(1)
  })
})

describe('a question of a stateless backend', () => {
  it('AGG-M19 goes back to a client that answers by calling again', async () => {
    const server = await startFixtureServer({ era: '2026' })
    open.push(() => server.close())
    const client: ClientChannel = {
      capabilities: formElicitation,
      answers: 'retry',
      wantsProgress: false,
      notify: () => {},
    }
    const wire = overHttp(server.url)
    const first = await wire.callTool(ada, { name: 'ask' }, { client })
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create' } },
    })
    const { requestState } = first as Required<InputRequired>
    const retry = { name: 'ask', inputResponses: { name: accept }, requestState }
    expect(JSON.parse(firstText(await wire.callTool(ada, retry, { client })))).toEqual(accept)
    const [one, two] = server.calls.filter(({ method }) => method === 'tools/call')
    expect(one?.id).not.toBe(two?.id)
    expect(one?.params).toMatchObject({
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
    })
  })

  it('is refused when the client declared nothing of the kind', async () => {
    const server = await startFixtureServer({ era: '2026' })
    open.push(() => server.close())
    const { client } = pushClient(() => ({}), { roots: true })
    const missing = { _tag: 'ClientCapabilityMissing', capability: 'elicitation' }
    await expect(overHttp(server.url).callTool(ada, { name: 'ask' }, { client })).rejects.toMatchObject(missing)
    await expect(overHttp(server.url).callTool(ada, { name: 'ask' })).rejects.toMatchObject(missing)
  })

  it('is put ten times at most', async () => {
    const params = { mode: 'form', message: 'again?', requestedSchema: {} }
    const inputRequests = { again: { method: 'elicitation/create', params } }
    const server = await statelessServer((request) => request.result({ resultType: 'input_required', inputRequests }))
    const { client, asked } = pushClient(() => accept)
    await expect(overHttp(server.url).callTool(ada, { name: 'x' }, { client })).rejects.toMatchObject({
      reason: 'protocol',
    })
    expect(asked).toHaveLength(10)
  })

  it('gets an id when it is one by URL', async () => {
    const params = { mode: 'url', message: 'sign in', url: 'https://example.com/sign-in' }
    const server = await statelessServer((request) => {
      const isRetry = 'inputResponses' in (request.message['params'] as object)
      const asking = { resultType: 'input_required', inputRequests: { u: { method: 'elicitation/create', params } } }
      request.result(isRetry ? { resultType: 'complete', content: [] } : asking)
    })
    const { client, asked } = pushClient(() => ({ action: 'accept' }), { elicitation: { url: true } })
    await overHttp(server.url).callTool(ada, { name: 'x' }, { client })
    expect(asked[0]?.params).toMatchObject({ ...params, elicitationId: expect.any(String) })
  })

  it.each([
    ['questions that are no map', { inputRequests: 'not-a-map' }],
    ['a state that is no text', { requestState: 42 }],
    ['neither', {}],
  ])('AGG-M21 is not relayed with %s', async (_name, envelope) => {
    const server = await statelessServer((request) => request.result({ resultType: 'input_required', ...envelope }))
    await expect(overHttp(server.url).callTool(ada, { name: 'x' })).rejects.toMatchObject({ reason: 'protocol' })
  })

  it('AGG-M20 keeps an empty state', async () => {
    const server = await statelessServer((request) =>
      request.result({ resultType: 'input_required', requestState: '' }),
    )
    const own = {
      type: 'own',
      credentialKey: (identity: Identity | null) => String(identity),
      headers: async () => ({}),
    }
    const wire = backend({ transport: 'streamable-http', url: server.url }, own)
    expect(await wire.getPrompt(ada, { name: 'x' })).toEqual({ resultType: 'input_required', requestState: '' })
  })
})

describe('a backend that asks apart from any call', () => {
  it('is told of a client only on a session of that client, which no other caller uses', async () => {
    const server = await apartServer()
    const wire = overHttp(server.url)
    await wire.describe(ada)
    const one = pushClient(() => ({ action: 'accept', content: { name: 'ada' } }))
    const two = pushClient(() => ({ action: 'accept', content: { name: 'bob' } }))
    const results = await Promise.all([
      wire.callTool(ada, { name: 'ask' }, { client: one.client }),
      wire.callTool(bob, { name: 'ask' }, { client: two.client }),
    ])
    expect(results.map((result) => JSON.parse(firstText(result)).content.name)).toEqual(['ada', 'bob'])
    expect(server.declared).toEqual([{}, { elicitation: { form: {} } }, { elicitation: { form: {} } }])
  })

  it('gets no answer while two calls of a caller run: nobody can tell whose question it is', async () => {
    const server = await apartServer()
    const wire = overHttp(server.url)
    const { client, asked } = pushClient(() => accept)
    const controller = new AbortController()
    const hanging = wire.callTool(ada, { name: 'hang' }, { client, signal: controller.signal }).catch(() => {})
    while (server.count('tools/call') === 0) await new Promise((resolve) => setImmediate(resolve))
    const result = await wire.callTool(ada, { name: 'ask' }, { client })
    expect(JSON.parse(firstText(result))).toMatchObject({ code: -32601 })
    expect(asked).toHaveLength(0)
    controller.abort()
    await hanging
  })

  it('never reaches a later call with a question of one that was given up', async () => {
    const server = await apartServer()
    const wire = overHttp(server.url)
    const { client, asked } = pushClient(() => accept)
    const controller = new AbortController()
    const hanging = wire.callTool(ada, { name: 'hang' }, { client, signal: controller.signal }).catch(() => {})
    while (server.count('tools/call') === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    await hanging
    const sessionsBefore = server.declared.length
    await wire.callTool(ada, { name: 'ask' }, { client })
    expect(server.declared).toHaveLength(sessionsBefore + 1)
    expect(asked).toHaveLength(1)
  })
})

async function statelessServer(callTool: (request: RawRequest) => void): Promise<RawServer> {
  const server = await startRawServer((request) => {
    if (request.message['method'] !== 'server/discover') return callTool(request)
    const supportedVersions = ['2026-07-28']
    request.result({ resultType: 'complete', supportedVersions, capabilities: {}, ttlMs: 0, cacheScope: 'private' })
  })
  open.push(() => server.close())
  return server
}

/** A server of 2025 that asks on the notification stream of the session, as some do. */
async function apartServer(): Promise<RawServer & { readonly declared: readonly unknown[] }> {
  const declared: unknown[] = []
  const streams = new Map<string, RawRequest>()
  const calls = new Map<string, RawRequest>()
  const server = await startRawServer((request) => {
    const { method, params, id } = request.message
    const session = String(request.headers['mcp-session-id'])
    if (request.httpMethod === 'GET') {
      streams.set(session, request)
      request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      return
    }
    if (request.httpMethod === 'DELETE') return void request.response.writeHead(200).end()
    if (method === 'server/discover') return request.error(404, { code: -32601, message: '' })
    if (method === 'initialize') {
      declared.push((params as JsonObject)['capabilities'])
      const serverInfo = { name: 'apart', version: '1' }
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
      return request.result(result, { 'mcp-session-id': `s${declared.length}` })
    }
    if (method === undefined) {
      request.response.writeHead(202).end()
      const answer = request.message['result'] ?? request.message['error']
      return calls.get(String(id))?.result({ content: [text(JSON.stringify(answer))] })
    }
    if (method !== 'tools/call') return void request.response.writeHead(202).end()
    if ((params as JsonObject)['name'] === 'hang') return
    calls.set(`q-${session}`, request)
    const asking = { jsonrpc: '2.0', id: `q-${session}`, method: 'elicitation/create', params: { message: 'Who?' } }
    const ask = (left: number): void => {
      const stream = streams.get(session)
      if (stream !== undefined) return void stream.response.write(`data: ${JSON.stringify(asking)}\n\n`)
      if (left > 0) setTimeout(() => ask(left - 1), 5)
    }
    ask(200)
  })
  open.push(() => server.close())
  return { ...server, declared }
}
