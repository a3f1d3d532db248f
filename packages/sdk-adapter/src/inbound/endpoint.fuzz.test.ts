import { Cancellation, NotFound } from '@vmcp/domain'
import type { VMCP } from '@vmcp/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEndpoint } from './endpoint.js'
import type { Responder, SessionRegistry } from './exchange.js'
import { wholeText } from './wire/json-rpc.js'

const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'subscriptions/listen',
  'notifications/cancelled',
  'notifications/initialized',
]

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Members that a message may have, right, wrong or missing. */
const params = fc.record(
  {
    _meta: fc.oneof(fc.constant(envelope), fc.jsonValue({ maxDepth: 2 })),
    name: fc.oneof(fc.constant('echo'), fc.jsonValue({ maxDepth: 1 })),
    uri: fc.oneof(fc.constant('file:///a'), fc.jsonValue({ maxDepth: 1 })),
    arguments: fc.jsonValue({ maxDepth: 3 }),
    cursor: fc.jsonValue({ maxDepth: 1 }),
    ref: fc.jsonValue({ maxDepth: 2 }),
    argument: fc.jsonValue({ maxDepth: 2 }),
    level: fc.jsonValue({ maxDepth: 1 }),
    notifications: fc.jsonValue({ maxDepth: 2 }),
    inputResponses: fc.jsonValue({ maxDepth: 2 }),
    requestState: fc.jsonValue({ maxDepth: 1 }),
    requestId: fc.jsonValue({ maxDepth: 1 }),
    protocolVersion: fc.jsonValue({ maxDepth: 1 }),
    capabilities: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
)

const message = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue({ maxDepth: 0 })),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
      method: fc.oneof(
        fc.constantFrom(...methods),
        fc.string(),
        fc.constant('__proto__'),
        fc.jsonValue({ maxDepth: 0 }),
      ),
      params: fc.oneof(params, fc.jsonValue({ maxDepth: 1 })),
      result: fc.jsonValue({ maxDepth: 1 }),
      error: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: [] },
  ),
)

describe('createEndpoint', () => {
  it('answers any message once, with valid JSON-RPC and never as a fault of its own', async () => {
    const headers = fc.constantFrom<Record<string, string>>(
      {},
      { 'mcp-session-id': 'mine' },
      { 'mcp-session-id': 'none' },
    )
    await fc.assert(
      fc.asyncProperty(message, headers, fc.boolean(), async (sent, common, confirms) => {
        const method = (sent as { readonly method?: unknown } | null)?.method
        const standard = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': String(method), 'mcp-name': 'echo' }
        const answers = await answersTo(sent, confirms ? { ...common, ...standard } : common)

        expect(answers).toHaveLength(1)
        const [{ status, text }] = answers as [Answer]
        expect(status).toBeLessThan(500)
        if (text === '') {
          expect([200, 202]).toContain(status)
          return
        }
        const answer = JSON.parse(text) as Record<string, unknown>
        expect(answer['jsonrpc']).toBe('2.0')
        expect('result' in answer).not.toBe('error' in answer)
        if ('error' in answer)
          expect(answer['error']).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
      }),
      { numRuns: 1500 },
    )
  })
})

interface Answer {
  readonly status: number
  readonly text: string
}

const registry: SessionRegistry = {
  open: async () => 'mine',
  claim: async (id) => id === 'mine',
  hold: () => () => {},
  end: async () => {},
}

const vmcp: VMCP = {
  listTools: async () => [{ name: 'echo', inputSchema: { type: 'object' } }],
  callTool: async (_identity, { arguments: given }) => ({ content: [], structuredContent: given }),
  listResources: async () => [],
  listResourceTemplates: async () => [],
  readResource: async (_identity, { uri }) => ({ contents: [{ uri, text: '' }] }),
  listPrompts: async () => [],
  getPrompt: async () => ({ messages: [] }),
  complete: async () => ({ values: [] }),
  lookupTool: async (_identity, name) => ({ name, inputSchema: { type: 'object' } }),
  lookupResource: async (_identity, uri) => Promise.reject(new NotFound('resource', uri)),
  lookupPrompt: async (_identity, name) => Promise.reject(new NotFound('prompt', name)),
  close: async () => {},
}

const endpoint = createEndpoint(vmcp, {
  serverInfo: { name: 'vmcp', version: '1.0.0' },
  sessions: registry,
  events: { subscribe: () => () => {} },
})

async function answersTo(sent: unknown, headers: Record<string, string>): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const responder: Responder = {
    json: (status, text = '') => {
      answers.push({ status, text: wholeText(text) })
    },
    stream: () => {
      throw new Error('a client that takes no stream gets none')
    },
  }
  const cancellation = new Cancellation()
  await endpoint.handle({
    kind: 'message',
    message: sent,
    headers,
    identity: null,
    acceptsStream: false,
    cancellation,
    responder,
  })
  return answers
}
