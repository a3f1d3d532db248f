import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

/** What a fixture may do while it answers. */
export interface FixtureContext {
  readonly era: '2025' | '2026'
  readonly signal: AbortSignal
  /** Headers of the HTTP request by lower-case name; empty on stdio. */
  readonly headers: Readonly<Record<string, string>>
  notify(method: string, params: JsonObject): Promise<void>
  /** Asks the client while the call runs (2025). */
  ask(method: string, params: JsonObject): Promise<JsonObject>
}

/** A JSON-RPC error that a fixture answers. */
export class FixtureError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** What every fixture server announces. */
export const fixtureCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
}

const anyInput = { type: 'object' }

/** Every tool of the fixture, in the order of its list. */
export const fixtureTools: readonly JsonObject[] = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Answers the text it is given',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true, custom: 'kept' },
    icons: [{ src: 'data:image/png;base64,AA==', vendorField: 1 }],
    _meta: { 'acme/tool': true },
    vendorField: { kept: true },
  },
  {
    name: 'add',
    description: 'Adds two numbers',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  },
  { name: 'hang', description: 'Never answers', inputSchema: anyInput },
  { name: 'progress', description: 'Reports progress 1, 2, 3 of 3', inputSchema: anyInput },
  { name: 'log', description: 'Writes one log message', inputSchema: anyInput },
  { name: 'fail', description: 'Fails as a tool', inputSchema: anyInput },
  { name: 'reject', description: 'Answers a JSON-RPC error', inputSchema: anyInput },
  { name: 'big', description: 'Answers as many characters as asked', inputSchema: anyInput },
  { name: 'odd', description: 'Answers what no revision defines', inputSchema: anyInput },
  { name: 'headers', description: 'Answers the headers of its request', inputSchema: anyInput },
  { name: 'meta', description: 'Answers the metadata of its request', inputSchema: anyInput },
  { name: 'ask', description: 'Asks the user for a name', inputSchema: anyInput },
]

const nameForm = {
  mode: 'form',
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

/** Answers one request with its raw result. */
export async function answerFixture(method: string, params: JsonObject, context: FixtureContext): Promise<JsonObject> {
  switch (method) {
    case 'ping':
      return {}
    case 'tools/list':
      return { tools: fixtureTools }
    case 'tools/call':
      return callFixtureTool(String(params['name']), params, context)
    case 'resources/list':
      return { resources: [{ uri: 'fixture://readme', name: 'readme', mimeType: 'text/plain', vendorField: 1 }] }
    case 'resources/templates/list':
      return { resourceTemplates: [{ uriTemplate: 'fixture://item/{id}', name: 'item' }] }
    case 'resources/read':
      return readFixture(String(params['uri']))
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return {}
    case 'prompts/list':
      return { prompts: [{ name: 'greet', arguments: [{ name: 'who', title: 'Whom to greet', required: true }] }] }
    case 'prompts/get':
      return promptFixture(params)
    case 'completion/complete':
      return { completion: { values: ['Ada', 'Alan'], total: 2, hasMore: false } }
    default:
      throw new FixtureError(-32601, 'Method not found')
  }
}

async function callFixtureTool(name: string, params: JsonObject, context: FixtureContext): Promise<JsonObject> {
  const input = isJsonObject(params['arguments']) ? params['arguments'] : {}
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  switch (name) {
    case 'echo':
      return textResult(String(input['text']))
    case 'add': {
      const sum = Number(input['a']) + Number(input['b'])
      return { ...textResult(JSON.stringify({ sum })), structuredContent: { sum } }
    }
    case 'hang':
      return new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(new FixtureError(-32603, 'cancelled')), { once: true })
      })
    case 'progress':
      for (const progress of [1, 2, 3]) await reportProgress(progress, meta, context)
      return textResult('done')
    case 'log':
      await context.notify('notifications/message', { level: 'info', logger: 'fixture', data: 'a line' })
      return textResult('logged')
    case 'fail':
      return { ...textResult('tool error: 401 unauthorized'), isError: true }
    case 'reject':
      throw new FixtureError(-32055, 'odd refusal', { reason: 'because' })
    case 'big':
      return textResult('x'.repeat(Number(input['size'])))
    case 'odd':
      return oddResult
    case 'headers':
      return textResult(JSON.stringify(context.headers))
    case 'meta':
      return textResult(JSON.stringify(meta))
    case 'ask':
      return askForName(params, context)
    default:
      throw new FixtureError(-32602, `Unknown tool: ${name}`)
  }
}

const oddResult = {
  content: [
    { type: 'hologram', data: { deep: [1, 2] } },
    { type: 'text', text: 'plain', annotations: { priority: 0, custom: true }, _meta: { 'acme/block': 1 } },
    { type: 'resource', resource: { uri: 'fixture://x', text: 'y', _meta: { 'acme/inner': 1 }, extra: true } },
  ],
  structuredContent: { big: 9007199254740991 },
  _meta: { 'acme/cost': 2, 'io.modelcontextprotocol/serverInfo': { name: 'forged', version: '0' } },
  vendorField: 'kept',
}

async function reportProgress(progress: number, meta: JsonObject, context: FixtureContext): Promise<void> {
  const { progressToken } = meta
  if (progressToken === undefined) return
  await context.notify('notifications/progress', { progressToken, progress, total: 3, message: `step ${progress}` })
}

async function askForName(params: JsonObject, context: FixtureContext): Promise<JsonObject> {
  if (context.era === '2025') return textResult(JSON.stringify(await context.ask('elicitation/create', nameForm)))
  const responses = params['inputResponses']
  if (isJsonObject(responses) && responses['name'] !== undefined) return textResult(JSON.stringify(responses['name']))
  const inputRequests = { name: { method: 'elicitation/create', params: nameForm } }
  return { resultType: 'input_required', inputRequests, requestState: 'fixture-state' }
}

function readFixture(uri: string): JsonObject {
  if (uri === 'fixture://readme') return { contents: [{ uri, mimeType: 'text/plain', text: 'read me' }] }
  const id = /^fixture:\/\/item\/(.+)$/.exec(uri)?.[1]
  if (id !== undefined) return { contents: [{ uri, text: `item ${id}` }] }
  throw new FixtureError(-32602, 'Resource not found', { uri })
}

function promptFixture(params: JsonObject): JsonObject {
  if (params['name'] !== 'greet') throw new FixtureError(-32602, `Unknown prompt: ${String(params['name'])}`)
  const given = isJsonObject(params['arguments']) ? params['arguments'] : {}
  const content = { type: 'text', text: `Greet ${String(given['who'])}` }
  return { description: 'A greeting', messages: [{ role: 'user', content }] }
}

function textResult(text: string): JsonObject & { readonly content: readonly JsonObject[] } {
  return { content: [{ type: 'text', text }] }
}
