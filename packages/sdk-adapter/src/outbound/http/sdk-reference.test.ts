import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, JsonObject } from '@vmcp/domain'
import type { RawRequest, RawServer } from '@vmcp/testing'
import { done, startSessionBackend, startStatelessBackend, statelessDone } from '@vmcp/testing'
import { passThrough } from '../../testing/pass-through.js'
import { connectBackend } from '../connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const clientInfo = { name: 'reference', version: '1' }

type Call = (client: Required<BackendClient>) => Promise<unknown>

const names = ['echo', 'a b', ' lead', 'données', '=?base64?eA==?=', 'x'.repeat(200)]
const calls: readonly (readonly [string, JsonObject, Call])[] = [
  ...names.map((name): readonly [string, JsonObject, Call] => [
    'tools/call',
    { name, arguments: { a: [1, { b: null }] } },
    (client) => client.callTool(null, { name, arguments: { a: [1, { b: null }] } }),
  ]),
  ['tools/list', {}, (client) => client.listTools(null, {})],
  ['tools/list', { cursor: 'c' }, (client) => client.listTools(null, { cursor: 'c' })],
  ['resources/list', {}, (client) => client.listResources(null, {})],
  ['resources/templates/list', {}, (client) => client.listResourceTemplates(null, {})],
  ['resources/read', { uri: 'x://é y' }, (client) => client.readResource(null, { uri: 'x://é y' })],
  ['prompts/list', {}, (client) => client.listPrompts(null, {})],
  [
    'prompts/get',
    { name: 'p', arguments: { a: '1' } },
    (client) => client.getPrompt(null, { name: 'p', arguments: { a: '1' } }),
  ],
]

const eras: readonly (readonly [string, (script: Parameters<typeof startSessionBackend>[0]) => Promise<RawServer>])[] =
  [
    ['2025', startSessionBackend],
    ['2026', startStatelessBackend],
  ]

describe.each(eras)('HttpCarrier beside the transport of the SDK, era %s', (era, start) => {
  it.each(calls)('sends %s %j as the SDK does', async (method, params, call) => {
    const server = await start({ [method]: (request) => request.result(era === '2025' ? done : statelessDone) })
    open.push(() => server.close())
    const ours = connectBackend({ id: 'b', target: { transport: 'streamable-http', url: server.url }, clientInfo })
    open.push(() => ours.close())
    await call(ours as Required<BackendClient>).catch(() => {})
    const sdk = new Client(clientInfo, { versionNegotiation: { mode: 'auto' } })
    await sdk.connect(new StreamableHTTPClientTransport(new URL(server.url)))
    open.push(() => sdk.close())
    await sdk.request({ method, params: { ...params } }, passThrough).catch(() => {})

    const [first, second] = server.requests.filter(({ message }) => message['method'] === method).map(wireOf)
    expect(first).toEqual(second)
  })
})

/** What a request looks like on the wire, less what differs from call to call. */
function wireOf({ headers, message }: RawRequest) {
  const { id: _id, ...body } = message
  const kept = Object.entries(headers).filter(([name]) => /^(?:mcp-|accept$|content-type$)/.test(name))
  return { headers: Object.fromEntries(kept), body }
}
