import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { VmcpAdmin } from '@vmcp/domain'
import type { CrossOrigin } from './cross-origin.js'
import type { Guard } from './guards.js'
import type { PageAnswer } from './health.js'
import { health, readiness } from './health.js'
import type { McpRoute } from './mcp-route.js'
import { internalError, sendJson, sendRefusal } from './refusal.js'
import { status } from './status.js'
import { wellKnown } from './well-known.js'

/** What the routes lead to. */
export interface RoutesConfig {
  /** The path of the MCP endpoint. */
  readonly path: string
  readonly version: string
  readonly guardSite: Guard
  readonly crossOrigin: CrossOrigin
  readonly mcp: McpRoute
  /** Whose status `/status` shows; absent when it is not served. */
  readonly admin: VmcpAdmin | undefined
  readonly isClosing: () => boolean
}

/** Answers every request of a server: the MCP endpoint and the pages beside it. */
export function createRoutes({
  path,
  version,
  guardSite,
  crossOrigin,
  mcp,
  admin,
  isClosing,
}: RoutesConfig): RequestListener {
  return (request, response) => {
    const refusal = guardSite(request)
    if (refusal !== undefined) return sendRefusal(response, refusal)
    if (crossOrigin(request, response)) return
    const target = request.url === path ? path : (request.url?.split('?', 1)[0] ?? '/')
    if (target !== path) return sendPage(request, response, page(target, request.method))
    if (isClosing()) return sendRefusal(response, closing)
    mcp(request, response)
  }

  function page(target: string, method: string | undefined): PageAnswer {
    switch (target) {
      case '/health':
      case '/ping':
        return health()
      case '/readyz':
        return readiness(isClosing())
      case '/status':
        if (admin === undefined) return notFound
        return method === 'GET' || method === 'HEAD' ? status(admin, version) : methodNotAllowed
      default:
        return target === '/.well-known' || target.startsWith('/.well-known/') ? wellKnown() : notFound
    }
  }
}

const notFound: PageAnswer = { status: 404, body: { error: 'not_found' } }
const methodNotAllowed: PageAnswer = {
  status: 405,
  body: { error: 'method_not_allowed' },
  headers: { allow: 'GET, HEAD' },
}

const closing = {
  status: 503,
  code: internalError,
  message: 'Service Unavailable: the server is closing',
  headers: { connection: 'close', 'retry-after': '5' },
}

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { status: code, body, headers }: PageAnswer,
): void {
  sendJson(response, code, JSON.stringify(body), headers)
  request.resume()
}
