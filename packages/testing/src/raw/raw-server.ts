import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { PendingQuestions } from './pending-questions.js'

/** One HTTP request that reached a raw server. */
export interface RawRequest {
  readonly httpMethod: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly body: string
  /** The JSON-RPC message of the body; empty when there is none. */
  readonly message: JsonObject
  /** The raw response, for what no helper does. */
  readonly response: ServerResponse
  /** Answers JSON. */
  json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void
  /** Answers this request with a JSON-RPC result; as the last event, when a stream has begun. */
  result(result: unknown, headers?: Readonly<Record<string, string>>): void
  /** Answers this request with a JSON-RPC error. */
  error(status: number, error: JsonObject, id?: unknown): void
  /** Sends a message on the event stream of this request, which begins with the first one. */
  send(message: JsonObject): void
  /** Asks the client on the stream of this request, and resolves with the whole JSON-RPC answer. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>
}

/** A server that does as its script says, without any SDK. */
export interface RawServer {
  readonly url: string
  /** In order, oldest first. */
  readonly requests: readonly RawRequest[]
  /** How often a JSON-RPC method arrived. */
  count(method: string): number
  close(): Promise<void>
}

/** Starts a server on a free loopback port. It takes the answers to its own questions itself. */
export async function startRawServer(script: (request: RawRequest) => void | Promise<void>): Promise<RawServer> {
  const requests: RawRequest[] = []
  const questions = new PendingQuestions()
  const server = createServer((incoming, response) => {
    void (async () => {
      const request = await readRequest(incoming, response, questions)
      if (questions.take(request.message)) return void response.writeHead(202).end()
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

async function readRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  questions: PendingQuestions,
): Promise<RawRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  const value: unknown = body === '' ? {} : JSON.parse(body)
  const message = isJsonObject(value) ? value : {}
  const json: RawRequest['json'] = (status, answer, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
  }
  const send: RawRequest['send'] = (sent) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...sent })}\n\n`)
  }
  return {
    httpMethod: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, sent]) => [name, String(sent)])),
    body,
    message,
    response,
    json,
    result: (result, headers) => {
      if (!response.headersSent) return json(200, { jsonrpc: '2.0', id: message['id'], result }, headers)
      send({ id: message['id'], result })
      response.end()
    },
    error: (status, error, id = message['id']) => json(status, { jsonrpc: '2.0', id, error }),
    send,
    ask: (method, params = {}) => questions.ask((id) => send({ id, method, params })),
  }
}
