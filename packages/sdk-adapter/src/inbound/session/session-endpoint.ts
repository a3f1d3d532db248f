import type { CallOptions, Cancelled } from '@vmcp/domain'
import { isVmcpError } from '@vmcp/domain'
import { answerFailure } from '../answer-failure.js'
import type { CallAnswer } from '../call-answer.js'
import { createCallAnswer } from '../call-answer.js'
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
import { sessionMethods } from './session-methods.js'
import { verbs } from '../verbs.js'

/** Serves clients that hold a session (2025-11-25 and older). Every method throws `ProtocolError` for what it refuses. */
export interface SessionEndpoint {
  message(exchange: MessageExchange, message: Message): Promise<void>
  listen(exchange: ListenExchange): Promise<void>
  end(exchange: EndExchange): Promise<void>
  /** Ends the streams that only wait for changes. */
  endStreams(): void
  close(): Promise<void>
}

/** Makes the endpoint of the era with sessions. */
export function createSessionEndpoint(context: EndpointContext): SessionEndpoint {
  const { config, logger } = context
  const registry = config.sessions
  const callsPerSession = config.callsPerSession ?? 64
  const sessions = new Map<string, Session>()
  const waiting = new Set<EventStream>()

  return {
    message: async (exchange, message) => {
      if (message.type === 'request' && message.method === 'initialize') return open(exchange, message)
      const session = await claim(exchange, message)
      if (message.type === 'request') return serveRequest(exchange, session, message)
      if (message.type === 'response') session.questions.answer(message)
      else if (message.method === 'notifications/cancelled') session.running.cancel(message.params['requestId'])
      else if (message.method === 'notifications/roots/list_changed') tellRootsChanged(exchange, session)
      exchange.responder.json(202)
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
  function hold({ responder, signal, headers }: ListenExchange): EventStream {
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
    signal.addEventListener('abort', leave, { once: true })
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

  /** The caller's own session. Unknown, ended and somebody else's sessions look alike. */
  async function claim(exchange: Exchange, message?: Message): Promise<Session> {
    const version = exchange.headers['mcp-protocol-version']
    if (version === statelessVersion && exchange.kind !== 'message') {
      throw refuse(405, rpcCode.invalidRequest, 'Method Not Allowed: 2026-07-28 has POST only')
    }
    if (version !== undefined && !sessionVersions.includes(version)) {
      throw refuse(400, rpcCode.invalidRequest, 'unsupported MCP-Protocol-Version', message)
    }
    const id = exchange.headers['mcp-session-id']
    if (id === undefined || id === '') throw refuse(400, rpcCode.invalidRequest, 'Mcp-Session-Id is required', message)
    const isLive = await registry.claim(id, exchange.identity).catch((error: unknown) => rethrow(error, message))
    const session = isLive ? sessions.get(id) : undefined
    if (session === undefined) throw refuse(404, rpcCode.sessionNotFound, 'Session not found', message)
    return session
  }

  async function serveRequest(exchange: MessageExchange, session: Session, request: RequestMessage): Promise<void> {
    const isFull = session.running.count >= callsPerSession && request.method !== 'ping'
    if (isFull) throw busy('too many requests at a time', 1, request)
    const answer = createCallAnswer(exchange.responder, {
      acceptsStream: exchange.acceptsStream,
      openStream: () => session.streams.open(exchange.responder.stream(), { primed: session.primesStreams }),
    })
    const release = registry.hold(exchange.headers['mcp-session-id'] ?? '')
    await session.running.run(request.id, {
      stopped: (reason) => stop(answer, request, reason),
      run: async (signal) => {
        try {
          answer.finish(200, resultText(request.id, await run(exchange, session, { request, answer, signal })))
        } catch (error) {
          answerFailure(answer, error, { request, era: '2025', logger })
        } finally {
          release()
        }
      },
    })
  }

  /** A client that cancels its request gets no answer; one whose session ended does. */
  function stop(answer: CallAnswer, request: RequestMessage, reason: Cancelled | undefined): void {
    if (reason !== undefined) answerFailure(answer, reason, { request, era: '2025', logger })
    else answer.abandon()
  }

  async function run(
    exchange: MessageExchange,
    session: Session,
    call: { readonly request: RequestMessage; readonly answer: CallAnswer; readonly signal: AbortSignal },
  ): Promise<JsonText> {
    const { request, answer, signal } = call
    const { forwardedHeaders, identity } = exchange
    const client = createPushChannel({
      capabilities: session.client.capabilities,
      progressToken: readProgressToken(request.params),
      logLevel: () => session.logLevel,
      send: answer.send,
      sendApart: (text) => session.sendApart(text),
      questions: session.questions,
      canAsk: exchange.acceptsStream,
    })
    const options: CallOptions = { signal, client, ...(forwardedHeaders !== undefined && { forwardedHeaders }) }
    const verbCall = { ...context, identity, params: request.params, options }
    const verb = verbs.get(request.method)
    if (verb !== undefined) return verb(verbCall)
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
