import type { IncomingMessage, ServerResponse } from 'node:http'

/** One SDK line, serving the fixture. */
export interface FixtureSdk {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>
  dropSessions(): void
  readonly sessionCount: number
  notifyListChanged(list: 'tools' | 'resources' | 'prompts'): Promise<void>
  notifyResourceUpdated(uri: string): Promise<void>
}

/** Answers that no such session is open, as servers of both SDK lines do. */
export function refuseUnknownSession(response: ServerResponse): void {
  const error = { code: -32001, message: 'Session not found' }
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}

/** The headers of a request by lower-case name. */
export function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
