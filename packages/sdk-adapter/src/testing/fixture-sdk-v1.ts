import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject } from '@vmcp/domain'
import { z } from 'zod'
import { answerFixture, fixtureCapabilities } from './fixture-answers.js'
import type { FixtureSdk } from './fixture-sdk.js'
import { refuseUnknownSession } from './fixture-sdk.js'
import { newSessionId } from './fixture-server.js'

interface Session {
  readonly transport: StreamableHTTPServerTransport
  readonly server: Server
}

/** The fixture on SDK 1.x: 2025 sessions only. */
export function sdkV1(): FixtureSdk {
  const sessions = new Map<string, Session>()

  const openSession = async (): Promise<Session> => {
    const server = fixtureServer()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: newSessionId,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport as Parameters<Server['connect']>[0])
    return { transport, server }
  }

  return {
    handle: async (request, response, body) => {
      const id = request.headers['mcp-session-id']
      const known = typeof id === 'string' ? sessions.get(id) : undefined
      if (known === undefined && id !== undefined) return refuseUnknownSession(response)
      if (known === undefined && !isInitializeRequest(body)) {
        response.writeHead(400, { 'content-type': 'application/json' })
        const error = { code: -32000, message: 'Bad Request: No valid session ID provided' }
        response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
        return
      }
      const { transport } = known ?? (await openSession())
      await transport.handleRequest(request, response, body)
    },
    dropSessions: () => sessions.clear(),
    get sessionCount() {
      return sessions.size
    },
    notifyResourceUpdated: async (uri) => {
      const notification = { method: 'notifications/resources/updated', params: { uri } }
      await Promise.all([...sessions.values()].map(({ server }) => server.notification(notification)))
    },
    notifyListChanged: async (list) => {
      const method = `notifications/${list}/list_changed`
      await Promise.all([...sessions.values()].map(({ server }) => server.notification({ method })))
    },
  }
}

function fixtureServer(): Server {
  const server = new Server({ name: 'fixture-v1', version: '1.0.0' }, { capabilities: fixtureCapabilities })
  server.fallbackRequestHandler = async (request, extra) => ({
    ...(await answerFixture(request.method, isJsonObject(request.params) ? request.params : {}, {
      era: '2025',
      signal: extra.signal,
      headers: Object.fromEntries(
        Object.entries(extra.requestInfo?.headers ?? {}).map(([name, value]) => [name, String(value)]),
      ),
      notify: (method, params) => extra.sendNotification({ method, params: { ...params } } as never),
      ask: async (method, params) => {
        const answer: unknown = await extra.sendRequest({ method, params: { ...params } } as never, z.looseObject({}))
        return isJsonObject(answer) ? answer : {}
      },
    })),
  })
  return server
}
