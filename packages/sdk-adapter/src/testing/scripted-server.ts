import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

/** One HTTP request that reached a scripted server. */
export interface ScriptedRequest {
  readonly httpMethod: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The JSON-RPC message of the body; empty when there is none. */
  readonly message: JsonObject
  /** The raw response, for what no helper does. */
  readonly response: ServerResponse
  /** Answers JSON. */
  json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void
  /** Answers this request with a JSON-RPC result. */
  result(result: unknown, headers?: Readonly<Record<string, string>>): void
  /** Answers this request with a JSON-RPC error. */
  error(status: number, error: JsonObject, id?: unknown): void
}

/** A server that does as its script says, without any SDK. */
export interface ScriptedServer {
  readonly url: string
  readonly requests: readonly ScriptedRequest[]
  /** How often a JSON-RPC method arrived. */
  count(method: string): number
  close(): Promise<void>
}

/** Starts a server on a free loopback port. */
export async function startScriptedServer(
  script: (request: ScriptedRequest) => void | Promise<void>,
): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = []
  const server = createServer((incoming, response) => {
    void (async () => {
      const request = await scripted(incoming, response)
      requests.push(request)
      await script(request)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    count: (method) => requests.filter(({ message }) => message['method'] === method).length,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function scripted(incoming: IncomingMessage, response: ServerResponse): Promise<ScriptedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const body: unknown = text === '' ? {} : JSON.parse(text)
  const message = isJsonObject(body) ? body : {}
  const json: ScriptedRequest['json'] = (status, answer, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
  }
  return {
    httpMethod: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    message,
    response,
    json,
    result: (result, headers) => json(200, { jsonrpc: '2.0', id: message['id'], result }, headers),
    error: (status, error, id = message['id']) => json(status, { jsonrpc: '2.0', id, error }),
  }
}
