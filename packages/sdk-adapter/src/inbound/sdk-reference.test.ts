import { Server, WebStandardStreamableHTTPServerTransport, createMcpHandler } from '@modelcontextprotocol/server'
import { Cancellation, NotFound, isJsonObject } from '@vmcp/domain'
import type { JsonObject, VMCP } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { createEndpoint } from './endpoint.js'
import type { Endpoint } from './endpoint.js'
import type { Responder, SessionRegistry } from './exchange.js'
import { wholeText } from './wire/json-rpc.js'

/*
 * The SDK's own HTTP transports are the reference: the same message gets the same status and the same answer, apart from
 * the wording of errors and their data, which are ours.
 */

const serverInfo = { name: 'vmcp', version: '1.0.0' }
const tool = { name: 'echo', inputSchema: { type: 'object' } }
const result = { content: [{ type: 'text', text: 'hi' }], structuredContent: { n: 1 }, futureField: [1] }
const resource = { contents: [{ uri: 'file:///a', text: 'a' }] }
const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] }

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const _meta = {
  [versionKey]: '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Case {
  readonly method: string
  readonly params?: JsonObject
  readonly id?: string | number
  readonly headers?: Readonly<Record<string, string>>
}

describe('a session is answered as by the SDK’s own transport', () => {
  it.each<[string, Case]>([
    ['ping', { method: 'ping' }],
    ['ping with a text id', { method: 'ping', id: 'text' }],
    ['ping with the id 0', { method: 'ping', id: 0 }],
    ['a list', { method: 'tools/list' }],
    ['a call', { method: 'tools/call', params: { name: 'echo', arguments: { a: 1 } } }],
    ['a reading', { method: 'resources/read', params: { uri: 'file:///a' } }],
    ['a prompt', { method: 'prompts/get', params: { name: 'greet' } }],
    ['a log level', { method: 'logging/setLevel', params: { level: 'debug' } }],
    ['an unknown method', { method: 'unknown/method' }],
  ])('%s', async (_what, asked) => {
    const ours = await openOurs()
    const reference = await openReference()

    expect(await ours(asked)).toEqual(await reference(asked))
  })
})

describe('a stateless request is answered as by the SDK’s own handler', () => {
  const call = { method: 'tools/call', params: { _meta, name: 'echo', arguments: { a: 1 } } }
  const list = { method: 'tools/list', params: { _meta } }

  it.each<[string, Case]>([
    ['a list', list],
    ['a call', { ...call, headers: { 'mcp-name': 'echo' } }],
    ['a call named in Base64', { ...call, headers: { 'mcp-name': '=?base64?ZWNobw==?=' } }],
    [
      'a reading',
      { method: 'resources/read', params: { _meta, uri: 'file:///a' }, headers: { 'mcp-name': 'file:///a' } },
    ],
    ['a prompt', { method: 'prompts/get', params: { _meta, name: 'greet' }, headers: { 'mcp-name': 'greet' } }],
    ['a call without its name header', call],
    ['a call with another name header', { ...call, headers: { 'mcp-name': 'other' } }],
    ['a call with a broken name header', { ...call, headers: { 'mcp-name': '=?base64?%?=' } }],
    ['a list with another method header', { ...list, headers: { 'mcp-method': 'tools/call' } }],
    ['a list with another version header', { ...list, headers: { 'mcp-protocol-version': '2025-11-25' } }],
    ['a list without _meta', { method: 'tools/list', params: {} }],
    ['a list without capabilities', { method: 'tools/list', params: { _meta: { [versionKey]: '2026-07-28' } } }],
    [
      'a list of an unknown version',
      {
        method: 'tools/list',
        params: { _meta: { ..._meta, [versionKey]: '1.0' } },
        headers: { 'mcp-protocol-version': '1.0' },
      },
    ],
    ['initialize', { method: 'initialize', params: { _meta, protocolVersion: '2025-11-25' } }],
  ])('%s', async (_what, asked) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': asked.method, ...asked.headers }
    const handler = createMcpHandler(() => sdkServer(), { legacy: 'reject' })
    const reference = await answerOf(await handler.fetch(requestOf(asked, headers)))

    expect(await ourAnswer(ourEndpoint(), asked, headers)).toEqual(reference)
  })
})

function sdkServer(): Server {
  const server = new Server(serverInfo, { capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} } })
  server.fallbackRequestHandler = async ({ method }) => {
    if (method === 'tools/list') return { tools: [tool] }
    if (method === 'tools/call') return result
    if (method === 'resources/read') return resource
    if (method === 'prompts/get') return prompt
    throw Object.assign(new Error('Method not found'), { code: -32601 })
  }
  return server
}

function ourEndpoint(): Endpoint {
  const missing = (_identity: unknown, name: string) => Promise.reject(new NotFound('tool', name))
  const vmcp: VMCP = {
    listTools: async () => [tool],
    callTool: async () => result,
    listResources: async () => [],
    listResourceTemplates: async () => [],
    readResource: async () => resource,
    listPrompts: async () => [],
    getPrompt: async () => prompt,
    complete: async () => ({ values: [] }),
    lookupTool: async () => tool,
    lookupResource: missing,
    lookupPrompt: missing,
    close: async () => {},
  }
  const sessions: SessionRegistry = {
    open: async () => 'session',
    claim: async (id) => id === 'session',
    hold: () => () => {},
    end: async () => {},
  }
  return createEndpoint(vmcp, { serverInfo, sessions })
}

const initialize: Case = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}

async function openOurs(): Promise<(asked: Case) => Promise<unknown>> {
  const endpoint = ourEndpoint()
  await ourAnswer(endpoint, initialize, {})
  return (asked) => ourAnswer(endpoint, asked, { 'mcp-session-id': 'session', ...asked.headers })
}

async function openReference(): Promise<(asked: Case) => Promise<unknown>> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => 'session',
    enableJsonResponse: true,
  })
  await sdkServer().connect(transport)
  await transport.handleRequest(requestOf(initialize, {}))
  return async (asked) => {
    const headers = { 'mcp-session-id': 'session', ...asked.headers }
    return answerOf(await transport.handleRequest(requestOf(asked, headers)))
  }
}

function requestOf({ method, params, id = 1 }: Case, headers: Readonly<Record<string, string>>): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  })
}

async function ourAnswer(
  endpoint: Endpoint,
  { method, params, id = 1 }: Case,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const answers: Response[] = []
  const responder: Responder = {
    json: (status, text = '') => {
      answers.push(new Response(wholeText(text), { status, headers: { 'content-type': 'application/json' } }))
    },
    stream: () => {
      throw new Error('no stream is expected')
    },
  }
  const message = { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }
  const cancellation = new Cancellation()
  await endpoint.handle({
    kind: 'message',
    message,
    headers,
    identity: null,
    acceptsStream: false,
    cancellation,
    responder,
  })
  return answerOf(answers[0] ?? Response.error())
}

/** What has to be the same: everything but an error's words and data. */
async function answerOf(response: Response): Promise<unknown> {
  const answer: unknown = await response.json()
  if (!isJsonObject(answer) || !isJsonObject(answer['error'])) return { status: response.status, answer }
  return { status: response.status, answer: { ...answer, error: { code: answer['error']['code'] } } }
}
