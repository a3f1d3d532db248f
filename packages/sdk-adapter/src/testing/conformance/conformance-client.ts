import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

/** Which client scenario of the conformance suite to act out, and where. */
export interface ConformanceClientOptions {
  readonly url: string
  /** The scenario's name in the suite. */
  readonly scenario: string
  /** The era the client speaks with the server at `url`. */
  readonly era: '2025' | '2026'
  /** What the suite hands to the client for this scenario. */
  readonly context?: JsonObject
}

/** Acts out one client scenario with a client of SDK 2.x, used as any application uses it. */
export async function runConformanceClient(options: ConformanceClientOptions): Promise<void> {
  const play = scenarios[options.scenario]
  if (play === undefined) throw new Error(`Unknown scenario: ${options.scenario}`)
  const mode = options.era === '2026' ? { pin: '2026-07-28' } : ('legacy' as const)
  const client = new Client(
    { name: 'conformance-client', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
      versionNegotiation: { mode },
    },
  )
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: {} }))
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'Paris' },
  }))
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///workspace' }] }))
  const transport = new StreamableHTTPClientTransport(new URL(options.url))
  await client.connect(transport)
  await play(client, options.context ?? {})
  await transport.terminateSession()
  await client.close()
}

type Scenario = (client: Client, context: JsonObject) => Promise<void>

const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: async (client) => void (await client.listTools()),
  tools_call: async (client) => {
    await client.listTools()
    await client.callTool({ name: 'add_numbers', arguments: { a: 5, b: 3 } })
  },
  'elicitation-sep1034-client-defaults': callEach,
  'sse-retry': callEach,
  'request-metadata': async (client) => void (await client.listTools()),
  'sep-2322-client-request-state': callEach,
  'http-standard-headers': async (client) => {
    await callEach(client)
    for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri })
    for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name })
  },
  'http-custom-headers': async (client, context) => {
    await client.listTools()
    for (const call of [context['toolCalls']].flat()) {
      if (!isJsonObject(call)) throw new Error('The suite gave no calls')
      await client.callTool({ name: String(call['name']), arguments: { ...(call['arguments'] as JsonObject) } })
    }
  },
  'http-invalid-tool-headers': callEach,
  'json-schema-ref-no-deref': async (client) => void (await client.listTools()),
  'json-schema-2020-12-preservation': async (client) => {
    const { tools } = await client.listTools()
    const rich = tools.find(({ name }) => name === 'json_schema_2020_12_tool')
    await client.callTool({ name: 'json_schema_echo', arguments: { schema: rich?.inputSchema } })
  },
}

/** Calls every tool that is listed, in the order of the list. */
async function callEach(client: Client): Promise<void> {
  for (const { name } of (await client.listTools()).tools) await client.callTool({ name, arguments: {} })
}
