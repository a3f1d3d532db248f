import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, isInitializeRequest, Server } from '@modelcontextprotocol/server'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { answerFixture, fixtureCapabilities } from './fixture-answers.js'
import type { FixtureSdk } from './fixture-sdk.js'
import { headersOf, refuseUnknownSession } from './fixture-sdk.js'
import { newSessionId } from './fixture-server.js'
import { passThrough } from './pass-through.js'

type TransportOptions = NonNullable<ConstructorParameters<typeof NodeStreamableHTTPServerTransport>[0]>

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport
  readonly server: Server
}

/** What is served over SDK 2.x. */
export interface SdkV2Options {
  readonly era: '2025' | '2026' | 'both'
  /** Makes the server of a session (2025) or a request (2026); the fixture's when absent. */
  readonly build?: (era: '2025' | '2026', headers: Record<string, string>) => Server
  /** What each 2025 session has beyond the SDK's defaults. */
  readonly session?: () => Pick<TransportOptions, 'eventStore' | 'retryInterval'>
}

/** The fixture on SDK 2.x: sessions for 2025, the SDK's own handler for 2026, told apart by the body. */
export function sdkV2({ era, build = fixtureServer, session }: SdkV2Options): FixtureSdk {
  const sessions = new Map<string, Session>()
  const handler = createMcpHandler(() => build('2026', {}), { legacy: 'reject' })
  const stateless = toNodeHandler(handler)

  const openSession = async (headers: Record<string, string>): Promise<Session> => {
    const server = build('2025', headers)
    const transport = new NodeStreamableHTTPServerTransport({
      ...session?.(),
      sessionIdGenerator: newSessionId,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport)
    return { transport, server }
  }

  return {
    handle: async (request, response, body) => {
      if (era === '2026' || (era === 'both' && isStateless(body))) {
        return stateless(request as Parameters<typeof stateless>[0], response, body)
      }
      const id = request.headers['mcp-session-id']
      const known = typeof id === 'string' ? sessions.get(id) : undefined
      if (known === undefined && !isInitializeRequest(body)) {
        if (id !== undefined) return refuseUnknownSession(response)
        response.writeHead(400, { 'content-type': 'application/json' })
        const error = { code: -32000, message: 'Bad Request: Session ID required' }
        response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
        return
      }
      const { transport } = known ?? (await openSession(headersOf(request)))
      await transport.handleRequest(request, response, body)
    },
    dropSessions: () => sessions.clear(),
    get sessionCount() {
      return sessions.size
    },
    notifyResourceUpdated: async (uri) => {
      handler.notify.resourceUpdated(uri)
      const notification = { method: 'notifications/resources/updated', params: { uri } } as const
      await Promise.all([...sessions.values()].map(({ server }) => server.notification(notification)))
    },
    notifyListChanged: async (list) => {
      if (list === 'tools') handler.notify.toolsChanged()
      else if (list === 'resources') handler.notify.resourcesChanged()
      else handler.notify.promptsChanged()
      const method = `notifications/${list}/list_changed` as const
      await Promise.all([...sessions.values()].map(({ server }) => server.notification({ method })))
    },
  }
}

/** A server of SDK 2.x that answers as the fixture does. */
export function fixtureServer(era: '2025' | '2026', headers: Record<string, string>): Server {
  const server = new Server({ name: 'fixture-v2', version: '2.0.0' }, { capabilities: fixtureCapabilities })
  server.fallbackRequestHandler = async (request, context) => {
    const { mcpReq, http } = context
    const sent = http?.req === undefined ? headers : Object.fromEntries(http.req.headers.entries())
    const state = mcpReq.requestState()
    const params: JsonObject = {
      ...(isJsonObject(request.params) ? request.params : {}),
      ...(mcpReq.envelope !== undefined && { _meta: { ...request.params?.['_meta'], ...mcpReq.envelope } }),
      ...(mcpReq.inputResponses !== undefined && { inputResponses: mcpReq.inputResponses }),
      ...(typeof state === 'string' && { requestState: state }),
    }
    return answerFixture(request.method, params, {
      era,
      signal: mcpReq.signal,
      headers: sent,
      notify: (method, notified) => mcpReq.notify({ method, params: { ...notified } }),
      ask: async (method, asked) => {
        const answer = await mcpReq.send({ method, params: { ...asked } }, passThrough)
        return isJsonObject(answer) ? answer : {}
      },
    })
  }
  return server
}

function isStateless(body: unknown): boolean {
  const params = isJsonObject(body) ? body['params'] : undefined
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) && typeof meta['io.modelcontextprotocol/protocolVersion'] === 'string'
}
