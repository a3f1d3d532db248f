import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type {
  CallToolResult,
  ElicitRequestFormParams,
  ElicitResult,
  RequestOptions,
} from '@modelcontextprotocol/server'
import { Server } from '@modelcontextprotocol/server'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { newSessionId } from './fixture-server.js'
import { passThrough } from './pass-through.js'

/** One `tools/call` that reached the reference server. */
export interface ReferenceCall {
  readonly name: string
  readonly arguments: JsonObject
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal
  /** Asks the calling client in the SDK's own words, and answers in them. */
  elicit(params: JsonObject, options?: { readonly signal?: AbortSignal }): Promise<JsonObject>
}

/** How the reference server asks. */
export interface ReferenceOptions {
  /**
   * `checked` (when absent) asks with `server.elicitInput`, which refuses an answer that its own schema, or the question's,
   * does not allow. `raw` sends the same request and takes any answer: for clients that break the rules.
   */
  readonly answers?: 'checked' | 'raw'
}

/** A running reference server. */
export interface ReferenceServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * The shortest way from a tool to the user: a server of SDK 2.x with sessions, whose tool handler is `answer`.
 * Nothing of this project is on it, so that what the seam does can be compared with what the SDK does.
 */
export async function startReferenceServer(
  answer: (call: ReferenceCall) => Promise<JsonObject>,
  { answers = 'checked' }: ReferenceOptions = {},
): Promise<ReferenceServer> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
  const server = createServer((request, response) => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    void (async () => {
      const transport = known ?? (await openSession())
      await transport.handleRequest(request, response)
    })().catch(() => response.destroy())
  })
  async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: newSessionId,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await referenceServer(answer, answers).connect(transport)
    return transport
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function referenceServer(
  answer: (call: ReferenceCall) => Promise<JsonObject>,
  answers: NonNullable<ReferenceOptions['answers']>,
): Server {
  const server = new Server({ name: 'reference', version: '2.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const result = await answer({
      name: params.name,
      arguments: params.arguments ?? {},
      signal: mcpReq.signal,
      elicit: async (asked, { signal } = {}) => {
        const options: RequestOptions = {
          timeout: longestWaitMs,
          relatedRequestId: mcpReq.id,
          ...(signal !== undefined && { signal }),
        }
        if (answers === 'raw') {
          const answered = await mcpReq.send(
            { method: 'elicitation/create', params: { ...asked } },
            passThrough,
            options,
          )
          return isJsonObject(answered) ? answered : {}
        }
        // What is wrong with a question is for the SDK to say.
        const answered: ElicitResult = await server.elicitInput(asked as unknown as ElicitRequestFormParams, options)
        return { ...answered }
      },
    })
    return result as CallToolResult
  })
  return server
}

/** Longer than any test: deadlines are the asker's, not the SDK's. */
const longestWaitMs = 3_600_000
