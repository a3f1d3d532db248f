import { CancellableOptions, isVmcpError } from '@vmcp/domain'
import { createPushChannel } from '../client-channel.js'
import type { EndpointContext } from '../endpoint-config.js'
import type { EndExchange, EventStream, Exchange, JsonText, ListenExchange, MessageExchange } from '../exchange.js'
import { readProgressToken } from '../wire/from-wire.js'
import { initialize } from './initialize.js'
import type { Message, RequestId, RequestMessage } from '../wire/json-rpc.js'
import { resultText, rpcCode } from '../wire/json-rpc.js'
import { ProtocolError } from '../wire/protocol-error.js'
import { sessionVersions, statelessVersion } from '../wire/protocol-versions.js'
import { Session } from './session.js'
import { SessionCall } from './session-call.js'
import { sessionMethods } from './session-methods.js'
import type { VerbCall } from '../verbs.js'
import { verbs } from '../verbs.js'

/** Serves clients that hold a session (2025-11-25 and older). Every method throws `ProtocolError`, or rejects with it, for what it refuses. */
export interface SessionEndpoint {
  message(exchange: MessageExchange, message: Message): Promise<void> | undefined
  listen(exchange: ListenExchange): Promise<void>
  end(exchange: EndExchange): Promise<void>
  /** Ends the streams that only wait for changes. */
  endStreams(): void
  close(): Promise<void>
}

/** Makes the endpoint of the era with sessions. */
export function createSessionEndpoint(context: EndpointContext): SessionEndpoint {
  const { vmcp, config, writer, pageSize, logger } = context
  const registry = config.sessions
  const callsPerSession = config.callsPerSession ?? 64
  const sessions = new Map<string, Session>()
  const waiting = new Set<EventStream>()

  return {
    message: (exchange, message) => {
      if (message.type === 'request' && message.method === 'initialize') return open(exchange, message)
      const session = claim(exchange, message)
      if (session instanceof Session) return serveMessage(exchange, session, message)
      return session.then((claimed) => serveMessage(exchange, claimed, message))
    },
    listen: async (exchange) => {
      const session = await claim(exchange)
      const connect = () => hold(exchange)
      const lastEventId = exchange.headers['last-event-id']
      if (lastEventId !== undefined && session.streams.resume(lastEventId, connect)) return
      session.waitOn(connect())
    },
    end: async (exchange) => {
      await claim(exchange)
      await registry.end(exchange.headers['mcp-session-id'] ?? '')
      exchange.responder.json(200)
    },
    endStreams: () => {
      for (const connection of [...waiting]) connection.end()
    },
    close: async () => {
      await Promise.all([...sessions.keys()].map((id) => registry.end(id)))
    },
  }

  /** Backends may ask for the folders then, on the stream that waits for changes. */
  function tellRootsChanged({ identity, forwardedHeaders }: MessageExchange, session: Session): void {
    const client = session.channelApart()
    if (client.capabilities.roots !== true) return
    config.events?.rootsChanged?.(identity, client, forwardedHeaders === undefined ? {} : { forwardedHeaders })
  }

  /** A registry that fails says nothing about the session: the client may try again. */
  function rethrow(error: unknown, message: Message | undefined): never {
    if (isVmcpError(error)) throw error
    logger.error('the sessions cannot be reached', { error: String(error) })
    throw busy('sessions are unavailable', 1, message)
  }

  /** An open stream keeps its session alive. */
  function hold({ responder, cancellation, headers }: ListenExchange): EventStream {
    const release = registry.hold(headers['mcp-session-id'] ?? '')
    const stream = responder.stream()
    const connection: EventStream = {
      send: (event) => stream.send(event),
      end: () => {
        leave()
        stream.end()
      },
    }
    waiting.add(connection)
    if (cancellation.isCancelled) leave()
    else cancellation.listen({ handleEvent: leave })
    return connection

    function leave(): void {
      waiting.delete(connection)
      release()
    }
  }

  async function open(exchange: MessageExchange, request: RequestMessage): Promise<void> {
    if (exchange.headers['mcp-session-id'] !== undefined) {
      await claim(exchange, request)
      throw refuse(400, rpcCode.invalidRequest, 'the session is already initialized', request)
    }
    const { client, result } = initialize(request.params, exchange, config)
    const session = new Session(client, config.events)
    const ended = () => {
      sessions.delete(session.id)
      session.close()
    }
    const id = await registry.open(exchange.identity, ended).catch((error: unknown) => rethrow(error, request))
    if (id === undefined) throw busy('too many sessions', 10, request)
    session.id = id
    sessions.set(id, session)
    exchange.responder.json(200, resultText(request.id, JSON.stringify(result)), { 'mcp-session-id': id })
  }

  /** The caller's own session, at once if the registry knows at once. Unknown, ended and somebody else's look alike. */
  function claim(exchange: Exchange, message?: Message): Session | Promise<Session> {
    const version = exchange.headers['mcp-protocol-version']
    if (version === statelessVersion && exchange.kind !== 'message') {
      throw refuse(405, rpcCode.invalidRequest, 'Method Not Allowed: 2026-07-28 has POST only')
    }
    if (version !== undefined && !sessionVersions.includes(version)) {
      throw refuse(400, rpcCode.invalidRequest, 'unsupported MCP-Protocol-Version', message)
    }
    const id = exchange.headers['mcp-session-id']
    if (id === undefined || id === '') throw refuse(400, rpcCode.invalidRequest, 'Mcp-Session-Id is required', message)
    const isLive = askRegistry(id, exchange, message)
    if (typeof isLive === 'boolean') return sessionOf(id, isLive, message)
    return isLive.then(
      (lives) => sessionOf(id, lives, message),
      (error: unknown) => rethrow(error, message),
    )
  }

  function askRegistry(id: string, { identity }: Exchange, message: Message | undefined): boolean | Promise<boolean> {
    try {
      return registry.claim(id, identity)
    } catch (error) {
      return rethrow(error, message)
    }
  }

  function sessionOf(id: string, isLive: boolean, message: Message | undefined): Session {
    const session = isLive ? sessions.get(id) : undefined
    if (session === undefined) throw refuse(404, rpcCode.sessionNotFound, 'Session not found', message)
    return session
  }

  function serveMessage(exchange: MessageExchange, session: Session, message: Message): Promise<void> | undefined {
    if (message.type === 'request') return serveRequest(exchange, session, message)
    if (message.type === 'response') session.questions.answer(message)
    else if (message.method === 'notifications/cancelled') session.running.cancel(message.params['requestId'])
    else if (message.method === 'notifications/roots/list_changed') tellRootsChanged(exchange, session)
    exchange.responder.json(202)
    return undefined
  }

  function serveRequest(exchange: MessageExchange, session: Session, request: RequestMessage): Promise<void> {
    const isFull = session.running.count >= callsPerSession && request.method !== 'ping'
    if (isFull) throw busy('too many requests at a time', 1, request)
    const call = new SessionCall(exchange, session, { request, logger })
    const release = registry.hold(exchange.headers['mcp-session-id'] ?? '')
    const end = () => {
      release()
      session.running.remove(call)
    }
    session.running.add(call)
    return run(exchange, session, call).then(
      (text) => {
        try {
          call.succeed(text)
        } finally {
          end()
        }
      },
      (error: unknown) => {
        try {
          call.fail(error)
        } finally {
          end()
        }
      },
    )
  }

  function run(exchange: MessageExchange, session: Session, call: SessionCall): Promise<JsonText> {
    const { forwardedHeaders, identity } = exchange
    const { cancellation, request } = call
    const { method, params } = request
    try {
      const questions = exchange.acceptsStream ? session.questions : undefined
      const client = createPushChannel(call, readProgressToken(params), questions)
      const options = new CancellableOptions(cancellation, { client, forwardedHeaders })
      const verbCall = { vmcp, identity, params, options, writer, pageSize }
      const verb = verbs.get(method)
      return verb === undefined ? runOwn(session, request, verbCall) : verb(verbCall)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** The methods that are not verbs of a `VMCP`. */
  async function runOwn(session: Session, request: RequestMessage, verbCall: VerbCall): Promise<string> {
    const method = sessionMethods.get(request.method)
    if (method === undefined) throw refuse(200, rpcCode.methodNotFound, 'Method not found', request)
    return JSON.stringify(await method(session, verbCall))
  }
}

function refuse(status: number, code: number, text: string, message?: Message): ProtocolError {
  return new ProtocolError(code, text, { status, requestId: requestIdOf(message) })
}

function busy(text: string, retryAfterSeconds: number, message?: Message): ProtocolError {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return new ProtocolError(rpcCode.internalError, text, { status: 503, requestId: requestIdOf(message), headers })
}

function requestIdOf(message: Message | undefined): RequestId | undefined {
  return message?.type === 'request' ? message.id : undefined
}
