import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

/** What one request got. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body as it came. */
  readonly text: string
  /** Every message of the body, in order. */
  readonly messages: readonly JsonObject[]
  /** The answer to the request itself; empty when there is none. */
  readonly answer: JsonObject
  /** Its result; empty when there is none. */
  readonly result: JsonObject
  /** Its error, if it is one. */
  readonly error: JsonObject | undefined
}

/** What accompanies one request of a raw client. */
export interface RawRequestOptions {
  readonly id?: string | number
  readonly headers?: Readonly<Record<string, string>>
  /** Closes the socket when it aborts. */
  readonly signal?: AbortSignal
  /** Hears every message of the answer as it comes. */
  readonly onMessage?: (message: JsonObject) => void
}

/** How a session is opened. */
export interface RawSessionOptions {
  readonly capabilities?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Answers what the server asks, with a `result` or an `error`. */
  readonly onRequest?: (request: JsonObject) => Promise<JsonObject> | JsonObject
}

/** What a stateless request has besides its method. */
export interface RawStatelessOptions extends RawRequestOptions {
  readonly params?: JsonObject
  readonly capabilities?: JsonObject
}

/** A session of 2025, as bytes. */
export interface RawSession {
  readonly id: string
  request(method: string, params?: JsonObject, options?: RawRequestOptions): Promise<RawAnswer>
  /** Calls a tool. */
  call(name: string, input?: unknown, options?: RawRequestOptions): Promise<RawAnswer>
  /** Sends a message without an answer. */
  notify(method: string, params?: JsonObject): Promise<void>
  /** Hears what belongs to no request until the signal aborts; resolves once the stream is open. */
  listen(heard: (message: JsonObject) => void, signal: AbortSignal): Promise<void>
}

const both = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Posts a body as it is and reads all that comes back. */
export async function sendRaw(url: string, body: string, options: RawRequestOptions = {}): Promise<RawAnswer> {
  const { headers = {}, signal = null, onMessage, id } = options
  const response = await fetch(url, { method: 'POST', body, headers: { ...both, ...headers }, signal })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const messages: JsonObject[] = []
  const text = isStream
    ? await readEvents(response, (message) => {
        messages.push(message)
        onMessage?.(message)
      })
    : await response.text()
  if (!isStream && text !== '') messages.push(JSON.parse(text) as JsonObject)
  const answer = messages.find((message) => message['method'] === undefined && message['id'] === id) ?? {}
  const result = isJsonObject(answer['result']) ? answer['result'] : {}
  const error = isJsonObject(answer['error']) ? answer['error'] : undefined
  return { status: response.status, headers: response.headers, text, messages, answer, result, error }
}

/** Opens a session (2025-11-25). */
export async function openRawSession(url: string, options: RawSessionOptions = {}): Promise<RawSession> {
  const { capabilities = {}, headers = {}, onRequest } = options
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } }
  const opened = await sendRaw(url, rpc({ id: 0, method: 'initialize', params }), { id: 0, headers })
  const id = opened.headers.get('mcp-session-id') ?? ''
  const own = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
  let lastId = 0

  const hear = (heard?: (message: JsonObject) => void) => (message: JsonObject) => {
    heard?.(message)
    if (message['method'] === undefined || message['id'] === undefined || onRequest === undefined) return
    void (async () => {
      const answer = await onRequest(message)
      await sendRaw(url, rpc({ id: message['id'], ...answer }), { headers: own })
    })()
  }
  const session: RawSession = {
    id,
    request: (method, sent = {}, more = {}) => {
      const requestId = more.id ?? (lastId += 1)
      const heard = { ...more, id: requestId, headers: { ...own, ...more.headers }, onMessage: hear(more.onMessage) }
      return sendRaw(url, rpc({ id: requestId, method, params: sent }), heard)
    },
    call: (name, input = {}, more) => session.request('tools/call', { name, arguments: input }, more),
    notify: async (method, sent = {}) => void (await sendRaw(url, rpc({ method, params: sent }), { headers: own })),
    listen: async (heard, signal) => {
      const stream = await fetch(url, { headers: { ...own, accept: 'text/event-stream' }, signal })
      void readEvents(stream, hear(heard)).catch(() => {})
    },
  }
  await session.notify('notifications/initialized')
  return session
}

/** Sends one stateless request with all its headers (2026-07-28). */
export function callStateless(
  url: string,
  method: string,
  { params = {}, capabilities = {}, ...options }: RawStatelessOptions = {},
): Promise<RawAnswer> {
  const { id = 1, headers = {} } = options
  const given = isJsonObject(params['_meta']) ? params['_meta'] : {}
  const own = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const name = params['name'] ?? params['uri']
  const standard = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
  const body = rpc({ id, method, params: { ...params, _meta: { ...given, ...own } } })
  return sendRaw(url, body, { ...options, id, headers: { ...standard, ...headers } })
}

function rpc(message: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message })
}

async function readEvents(response: Response, heard: (message: JsonObject) => void): Promise<string> {
  const parts: string[] = []
  let buffered = ''
  if (response.body === null) return ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    parts.push(chunk)
    buffered += chunk
    const blocks = buffered.split('\n\n')
    buffered = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: ') && line.length > 6)
      if (data !== undefined) heard(JSON.parse(data.slice(6)) as JsonObject)
    }
  }
  return parts.join('')
}
