import type { JsonObject } from '@vmcp/domain'
import { connectV1 } from './test-client-v1.js'
import { connectV2 } from './test-client-v2.js'

/** How a test client connects and what it can be asked. */
export interface TestClientOptions {
  /** The SDK it is built on. */
  readonly sdk: 'v1' | 'v2'
  readonly url: string
  /** The era it speaks; `2025` when absent, and always for SDK 1.x. `auto` asks the server. */
  readonly era?: '2025' | '2026' | 'auto'
  readonly headers?: Readonly<Record<string, string>>
  /** Answers questions to the user. Elicitation is declared only when it is there. */
  readonly onElicitation?: (params: JsonObject) => Promise<JsonObject> | JsonObject
  /** Answers sampling. Declared only when it is there. */
  readonly onSampling?: (params: JsonObject) => Promise<JsonObject> | JsonObject
  /** The roots it tells. Declared only when they are there. */
  readonly roots?: readonly JsonObject[]
  /** Hears every notification that is not progress. */
  readonly onNotification?: (method: string, params: JsonObject) => void
}

/** What accompanies one request of a test client. */
export interface TestRequestOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: JsonObject) => void
  /** Milliseconds; a minute when absent. */
  readonly timeoutMs?: number
}

/**
 * A real client of the official SDK, in plain values.
 * Results are raw: nothing is dropped. (SDK 2.x refuses results of 2026-07-28 that its schema does not know.) A JSON-RPC error rejects with `code`, `message` and `data`.
 */
export interface TestClient {
  readonly protocolVersion: string | undefined
  readonly serverInfo: JsonObject
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  /** The 2025 session, if there is one. */
  readonly sessionId: string | undefined
  /** Every tool, through all pages. */
  listTools(): Promise<readonly JsonObject[]>
  callTool(name: string, input?: JsonObject, options?: TestRequestOptions): Promise<JsonObject>
  listResources(): Promise<readonly JsonObject[]>
  listResourceTemplates(): Promise<readonly JsonObject[]>
  readResource(uri: string): Promise<JsonObject>
  listPrompts(): Promise<readonly JsonObject[]>
  getPrompt(name: string, input?: Readonly<Record<string, string>>): Promise<JsonObject>
  complete(ref: JsonObject, argument: { readonly name: string; readonly value: string }): Promise<JsonObject>
  ping(): Promise<void>
  /** Any request, with its raw result. */
  request(method: string, params?: JsonObject, options?: TestRequestOptions): Promise<JsonObject>
  /** Opens a 2026 subscription (`subscriptions/listen`); resolves with the way to end it. */
  listen(filter: JsonObject): Promise<() => Promise<void>>
  /** Ends the session, when there is one, and the connection. */
  close(): Promise<void>
}

/** What one SDK line gives to a test client. */
export interface RawClient extends Pick<
  TestClient,
  'protocolVersion' | 'serverInfo' | 'capabilities' | 'instructions' | 'sessionId' | 'listen' | 'close'
> {
  request(method: string, params: JsonObject, options: TestRequestOptions): Promise<JsonObject>
}

/** Connects a real client of SDK 1.x or 2.x to an MCP server over streamable HTTP. */
export async function connectClient(options: TestClientOptions): Promise<TestClient> {
  const raw = options.sdk === 'v1' ? await connectV1(options) : await connectV2(options)
  const request = (method: string, params: JsonObject = {}, more: TestRequestOptions = {}) =>
    raw.request(method, params, more)

  const walk = async (method: string, field: string): Promise<readonly JsonObject[]> => {
    const items: JsonObject[] = []
    let cursor: unknown
    do {
      const page = await request(method, cursor === undefined ? {} : { cursor })
      items.push(...(page[field] as readonly JsonObject[]))
      cursor = page['nextCursor']
    } while (cursor !== undefined)
    return items
  }

  return {
    protocolVersion: raw.protocolVersion,
    serverInfo: raw.serverInfo,
    capabilities: raw.capabilities,
    instructions: raw.instructions,
    sessionId: raw.sessionId,
    request,
    listTools: () => walk('tools/list', 'tools'),
    callTool: (name, input = {}, more) => request('tools/call', { name, arguments: input }, more),
    listResources: () => walk('resources/list', 'resources'),
    listResourceTemplates: () => walk('resources/templates/list', 'resourceTemplates'),
    readResource: (uri) => request('resources/read', { uri }),
    listPrompts: () => walk('prompts/list', 'prompts'),
    getPrompt: (name, input = {}) => request('prompts/get', { name, arguments: input }),
    complete: (ref, argument) => request('completion/complete', { ref, argument }),
    ping: async () => void (await request('ping')),
    listen: (filter) => raw.listen(filter),
    close: () => raw.close(),
  }
}

/** The client capabilities that follow from what a test client can answer. */
export function declaredCapabilities({ onElicitation, onSampling, roots }: TestClientOptions) {
  return {
    ...(onElicitation !== undefined && { elicitation: { form: {}, url: {} } }),
    ...(onSampling !== undefined && { sampling: {} }),
    ...(roots !== undefined && { roots: {} }),
  }
}
