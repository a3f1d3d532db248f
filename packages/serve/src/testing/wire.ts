import type { RunningServer } from '../serve.js'

/** A JSON value that a test looks into without proving its shape first. */
export type Json = ReturnType<typeof JSON.parse>

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>

const both: Headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Posts a body as it is. */
export function post(
  server: RunningServer,
  body: string,
  headers: Headers = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(server.url, { method: 'POST', body, headers: { ...both, ...headers }, signal })
}

/** A session as its client sees it. */
export interface SessionClient {
  readonly id: string
  readonly headers: Headers
  /** Sends a request and gives the answer of its response, whichever form it has. */
  request(method: string, params?: Json, id?: string | number): Promise<Json>
  /** Sends any message. */
  send(message: Json): Promise<Response>
}

/** Opens a session (2025-11-25). */
export async function openSession(
  server: RunningServer,
  options: { readonly capabilities?: Json; readonly headers?: Headers; readonly protocolVersion?: string } = {},
): Promise<SessionClient> {
  const { capabilities = {}, headers = {}, protocolVersion = '2025-11-25' } = options
  const params = { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } }
  const response = await post(server, rpc('initialize', params, 0), headers)
  const id = response.headers.get('mcp-session-id') ?? ''
  await response.text()
  const sessionHeaders = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion }
  const send = (message: Json) => post(server, JSON.stringify({ jsonrpc: '2.0', ...message }), sessionHeaders)
  return {
    id,
    headers: sessionHeaders,
    send,
    request: async (method, messageParams, requestId = 1) => {
      const answer = await send({ id: requestId, method, params: messageParams })
      return (await messagesOf(answer)).find((message) => message.id === requestId && message.method === undefined)
    },
  }
}

/** The `_meta` of a stateless request (2026-07-28). */
export function envelope(capabilities: Json = {}, more: Json = {}): Json {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  }
}

/** Sends one stateless request with all its headers (2026-07-28). */
export function stateless(
  server: RunningServer,
  method: string,
  params: Json = {},
  headers: Headers = {},
): Promise<Response> {
  const name = params.name ?? params.uri
  return post(server, rpc(method, { _meta: envelope(), ...params }), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  })
}

/** The text of a request. */
export function rpc(method: string, params: Json = {}, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** All messages of a response, JSON or event stream, once it has ended. */
export async function messagesOf(response: Response): Promise<readonly Json[]> {
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    return text === '' ? [] : [JSON.parse(text)]
  }
  return text.split('\n\n').flatMap(dataOf)
}

/** The messages of an event stream, one by one as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<Json> {
  let buffered = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    buffered += chunk
    const blocks = buffered.split('\n\n')
    buffered = blocks.pop() ?? ''
    yield* blocks.flatMap(dataOf)
  }
}

/** The next message of a stream. */
export async function next(events: AsyncGenerator<Json>): Promise<Json> {
  const { value } = await events.next()
  return value
}

function dataOf(block: string): readonly Json[] {
  return block
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') && line.length > 6 ? [JSON.parse(line.slice(6))] : []))
}
