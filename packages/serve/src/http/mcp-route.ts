import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Authentication, Identity, IncomingAuth, IncomingRequest, Logger } from '@vmcp/domain'
import type { Endpoint } from '@vmcp/sdk-adapter'
import type { ServerLimits } from '../server-config.js'
import { accepts, guardGet, guardPost } from './guards.js'
import type { HeapGuard } from './heap-guard.js'
import type { InFlight } from './in-flight.js'
import { NodeEnd, NodeListen, NodeMessage, plainHeaders } from './node-exchange.js'
import { createResponder } from './node-responder.js'
import type { PickHeaders } from './passthrough-headers.js'
import { readMessage } from './read-message.js'
import type { Refusal } from './refusal.js'
import { internalError, invalidRequest, sendJson, sendRefusal } from './refusal.js'
import { refuseBody } from './refuse-body.js'

/** What the MCP route needs of its server. */
export interface McpRouteConfig {
  readonly endpoint: Endpoint
  readonly incomingAuth: IncomingAuth
  readonly limits: ServerLimits
  readonly pickHeaders: PickHeaders
  readonly inFlight: InFlight
  readonly heap: HeapGuard
  readonly logger: Logger
}

/** Serves one request on the MCP endpoint: head, caller, body, then the exchange. Never rejects. */
export type McpRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Makes the route. Headers are judged before the caller is asked for, and the caller before the body is read. */
export function createMcpRoute(config: McpRouteConfig): McpRoute {
  const { endpoint, limits, pickHeaders, inFlight, heap } = config

  return async (request, response) => {
    const refusal = heap.isOver(limits.heapShareForCalls) ? busy : guardMethod(request)
    if (refusal !== undefined) return sendRefusal(response, refusal)
    const caller = await authenticate(request, response)
    if (caller === undefined) return
    const { identity } = caller
    const responder = createResponder(response, limits)
    const parts = { request, response, identity, responder, forwardedHeaders: pickHeaders(request.headers) }
    if (request.method === 'GET') return endpoint.handle(new NodeListen(parts))
    if (request.method === 'DELETE') return endpoint.handle(new NodeEnd(parts))
    if (inFlight.count >= limits.callsInFlight) return sendRefusal(response, busy)
    const leave = inFlight.enter()
    response.once('close', leave)
    const body = await readMessage(request, limits)
    if (body.outcome === 'gone') return leave()
    if (body.outcome === 'refused') return refuseBody(request, response, body.refusal)
    await endpoint.handle(new NodeMessage(parts, body.message, accepts(request.headers, 'text/event-stream')))
  }

  async function authenticate(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly identity: Identity | null } | undefined> {
    const asked: IncomingRequest = { headers: plainHeaders(request) }
    try {
      const answer = await config.incomingAuth.authenticate(asked)
      if (answer.outcome === 'authenticated') return { identity: answer.identity }
      reject(response, answer)
    } catch (error) {
      config.logger.error('a caller could not be authenticated', { error: String(error) })
      sendRefusal(response, unavailable)
    }
    return undefined
  }
}

function guardMethod(request: IncomingMessage): Refusal | undefined {
  switch (request.method) {
    case 'POST':
      return guardPost(request)
    case 'GET':
      return guardGet(request)
    case 'DELETE':
      return undefined
    default:
      return {
        status: 405,
        code: invalidRequest,
        message: 'Method Not Allowed',
        headers: { allow: 'GET, POST, DELETE' },
      }
  }
}

const busy: Refusal = {
  status: 503,
  code: internalError,
  message: 'Service Unavailable: too many requests at a time',
  headers: { 'retry-after': '1' },
}

const unavailable: Refusal = {
  status: 503,
  code: internalError,
  message: 'Service Unavailable: callers cannot be authenticated',
  headers: { 'retry-after': '1' },
}

/** An OAuth error (RFC 6750), as authorization happens before JSON-RPC. */
function reject(response: ServerResponse, answer: Extract<Authentication, { outcome: 'rejected' }>): void {
  const body = { error: oauthError[answer.status], error_description: answer.message }
  const headers = answer.challenge === undefined ? {} : { 'www-authenticate': answer.challenge }
  sendJson(response, answer.status, JSON.stringify(body), headers)
}

const oauthError = { 400: 'invalid_request', 401: 'invalid_token', 403: 'insufficient_scope' } as const
