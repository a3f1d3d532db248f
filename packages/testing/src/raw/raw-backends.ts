import type { JsonObject } from '@vmcp/domain'
import { text } from '@vmcp/domain'
import type { RawLine, RawProgram } from './raw-program.js'
import { startRawProgram } from './raw-program.js'
import type { RawRequest, RawServer } from './raw-server.js'
import { startRawServer } from './raw-server.js'

/** What a raw backend does, by JSON-RPC method, or by HTTP method where there is none. The rest is refused with 405. */
export type RawScript = Readonly<Record<string, (request: RawRequest) => void | Promise<void>>>

/** What a raw program does, by JSON-RPC method. The rest is left without an answer. */
export type RawLines = Readonly<Record<string, (line: RawLine) => void | Promise<void>>>

const capabilities = { tools: {}, resources: {} }

/** What a raw backend of 2025 answers to `initialize`. */
export const greeting = {
  protocolVersion: '2025-06-18',
  capabilities,
  serverInfo: { name: 'scripted', version: '1' },
  instructions: 'be kind',
}

/** What a raw backend of 2026 answers to `server/discover`. */
export const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities,
  ttlMs: 0,
  cacheScope: 'private',
}

/** A tool result of 2025. */
export const done = { content: [text('done')] }

/** A tool result of 2026. */
export const statelessDone = { resultType: 'complete', ...done }

/** A backend of 2025: it answers the handshake itself and the rest by script. */
export function startSessionBackend(script: RawScript): Promise<RawServer> {
  return startRawBackend({
    'server/discover': (request) => request.error(404, { code: -32601, message: 'Method not found' }),
    initialize: (request) => request.result(greeting, { 'mcp-session-id': 'session-1' }),
    'notifications/initialized': ({ response }) => void response.writeHead(202).end(),
    'notifications/cancelled': ({ response }) => void response.writeHead(202).end(),
    ...script,
  })
}

/** A backend of 2026: it answers discovery itself and the rest by script. */
export function startStatelessBackend(script: RawScript): Promise<RawServer> {
  return startRawBackend({ 'server/discover': (request) => request.result(discovery), ...script })
}

/** A backend that does nothing but its script. */
export function startRawBackend(script: RawScript): Promise<RawServer> {
  return startRawServer((request) => {
    const act = script[String(request.message['method'] ?? request.httpMethod)]
    if (act === undefined) return void request.response.writeHead(405).end()
    return act(request)
  })
}

/** A program of 2025: it answers the handshake itself and the rest by script. */
export function startSessionProgram(script: RawLines): Promise<RawProgram> {
  const all: RawLines = { initialize: (line) => line.result(greeting), ...script }
  return startRawProgram((line) => all[String(line.message['method'])]?.(line))
}

/** The tool that a `tools/call` is about, and its arguments. */
export function calledTool({ message }: { readonly message: JsonObject }) {
  const params = message['params'] as JsonObject
  return { name: String(params['name']), input: params['arguments'] as JsonObject, meta: params['_meta'] as JsonObject }
}

/** Answers a request with an event stream of that text. */
export function answerStream(request: RawRequest, body: string): void {
  request.response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
}

/** The JSON-RPC answer to a request, as text. */
export function answerText(request: RawRequest, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: request.message['id'], result })
}
