import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import type { FixtureSdk } from './fixture-sdk.js'
import { sdkV1 } from './fixture-sdk-v1.js'
import { sdkV2 } from './fixture-sdk-v2.js'

/** Which server to start. */
export interface FixtureServerOptions {
  /** The eras it serves; SDK 1.x knows only 2025. `both` when absent (2025 for 1.x). */
  readonly era?: '2025' | '2026' | 'both'
  /** The SDK it is built on; `v2` when absent. */
  readonly sdk?: 'v1' | 'v2'
  /** Answered to every request without an `authorization` header. */
  readonly refuseWith?: number
}

/** A message that reached the server. */
export interface FixtureCall {
  readonly httpMethod: string
  /** The JSON-RPC method; absent for GET, DELETE and answers. */
  readonly method?: string
  readonly params?: JsonObject
  readonly id?: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** A running MCP server over streamable HTTP, on a free loopback port. */
export interface FixtureServer {
  readonly url: string
  /** Everything that arrived, in order. */
  readonly calls: readonly FixtureCall[]
  /** How often a JSON-RPC method arrived. */
  count(method: string): number
  /** Resolves once a matching message has arrived. */
  arrived(matches: (call: FixtureCall) => boolean): Promise<FixtureCall>
  /** Forgets every 2025 session, as a restart would. */
  dropSessions(): void
  /** How many 2025 sessions are open. */
  readonly sessionCount: number
  /** Tells every listener that a list has changed. */
  notifyListChanged(list: 'tools' | 'resources' | 'prompts'): Promise<void>
  /** Tells every listener that a resource has changed. */
  notifyResourceUpdated(uri: string): Promise<void>
  close(): Promise<void>
}

/** Starts a fixture server built on the official SDK. */
export async function startFixtureServer(options: FixtureServerOptions = {}): Promise<FixtureServer> {
  const { sdk = 'v2', era = sdk === 'v1' ? '2025' : 'both' } = options
  const calls: FixtureCall[] = []
  const waiting = new Set<(call: FixtureCall) => void>()
  const served: FixtureSdk = sdk === 'v1' ? sdkV1() : sdkV2({ era })

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const call = callOf(request, body)
    calls.push(call)
    for (const check of waiting) check(call)
    if (options.refuseWith !== undefined && request.headers.authorization === undefined) {
      response.writeHead(options.refuseWith).end('secret text of the refusal')
      return
    }
    await served.handle(request, response, body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    count: (method) => calls.filter((call) => call.method === method).length,
    arrived: (matches) =>
      new Promise((resolve) => {
        const found = calls.find(matches)
        if (found !== undefined) return resolve(found)
        const check = (call: FixtureCall) => {
          if (!matches(call)) return
          waiting.delete(check)
          resolve(call)
        }
        waiting.add(check)
      }),
    dropSessions: () => served.dropSessions(),
    get sessionCount() {
      return served.sessionCount
    },
    notifyListChanged: (list) => served.notifyListChanged(list),
    notifyResourceUpdated: (uri) => served.notifyResourceUpdated(uri),
    close: async () => {
      served.dropSessions()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A new session id. */
export function newSessionId(): string {
  return randomUUID()
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

function callOf(request: IncomingMessage, body: unknown): FixtureCall {
  const message = isJsonObject(body) ? body : {}
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
  return {
    httpMethod: request.method ?? '',
    headers,
    ...(typeof message['method'] === 'string' && { method: message['method'] }),
    ...(isJsonObject(message['params']) && { params: message['params'] }),
    ...('id' in message && { id: message['id'] }),
  }
}
