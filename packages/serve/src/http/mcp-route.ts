import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Authentication, Identity, IncomingAuth, IncomingRequest, Logger } from '@vmcp/domain'
import type { Endpoint } from '@vmcp/sdk-adapter'
import type { ServerLimits } from '../server-config.js'
import { acceptsStream, guardGet, guardPost } from './guards.js'
import type { HeapGuard } from './heap-guard.js'
import type { InFlight } from './in-flight.js'
import { NodeEnd, NodeListen, NodeMessage, plainHeaders } from './node-exchange.js'
import { NodeResponder } from './node-responder.js'
import type { PickHeaders } from './passthrough-headers.js'
import { closeWithConnection } from './queued-response.js'
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

/** Serves one request on the MCP endpoint: head, caller, body, then the exchange. It answers whatever comes of it. */
export type McpRoute = (request: IncomingMessage, response: ServerResponse) => void

/** Makes the route. Headers are judged before the caller is asked for, and the caller before the body is read. */
export function createMcpRoute(config: McpRouteConfig): McpRoute {
  const { endpoint, incomingAuth, limits, pickHeaders, inFlight, heap, logger } = config

  return (request, response) => {
    closeWithConnection(request, response)
    const refusal = heap.isOver(limits.heapShareForCalls) ? busy : guardMethod(request)
    if (refusal !== undefined) return sendRefusal(response, refusal)
    authenticate({ headers: plainHeaders(request) })
      .then((answer) => {
        if (answer.outcome === 'authenticated') serveCaller(request, response, answer.identity)
        else reject(response, answer)
      })
      .catch((error: unknown) => {
        logger.error('a caller could not be authenticated', { error: String(error) })
        sendRefusal(response, unavailable)
      })
  }

  /** An authenticator that throws has failed as one that rejects. */
  function authenticate(asked: IncomingRequest): Promise<Authentication> {
    try {
      return Promise.resolve(incomingAuth.authenticate(asked))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  function serveCaller(request: IncomingMessage, response: ServerResponse, identity: Identity | null): void {
    const responder = new NodeResponder(response, limits)
    const parts = { request, response, identity, responder, forwardedHeaders: pickHeaders(request.headers) }
    if (request.method === 'GET') return void endpoint.handle(new NodeListen(parts))
    if (request.method === 'DELETE') return void endpoint.handle(new NodeEnd(parts))
    if (inFlight.count >= limits.callsInFlight) return sendRefusal(response, busy)
    const leave = inFlight.enter()
    response.on('close', leave)
    readMessage(request, limits, (read) => {
      if (read.outcome === 'gone') return leave()
      if (read.outcome === 'refused') return refuseBody(request, response, read.refusal)
      void endpoint.handle(new NodeMessage(parts, read.message, acceptsStream(request.headers)))
    })
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
