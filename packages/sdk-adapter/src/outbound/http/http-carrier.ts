import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client'
import { isJSONRPCRequest, parseJSONRPCMessage } from '@modelcontextprotocol/client'
import type { JsonObject, Logger } from '@vmcp/domain'
import { parseExact } from '../../json/exact-json.js'
import type { Carrier, ExchangeOptions } from '../carrier.js'
import type { RpcAnswer, RpcIncoming, RpcRequest } from '../json-rpc.js'
import { errorOfBody, answers } from '../json-rpc.js'
import { toSdkAnswer } from '../sdk-answer.js'
import { WireFailure } from '../wire-failure.js'
import type { AnswerLimits } from './answer-reader.js'
import { BodyCollector, EventStreamReader, readJsonAnswer } from './answer-reader.js'
import type { HttpEndpoint, HttpHead } from './http-endpoint.js'
import { watchStream } from './notification-stream.js'
import { isAuthStatus, isEventStream, isSuccess, jsonText, refuseEncoding, sessionOf } from './response-head.js'
import { postHeaders, statelessRevision, streamHeaders } from './protocol-headers.js'

/** What an `HttpCarrier` is given. */
export interface HttpCarrierOptions {
  readonly limits: AnswerLimits
  readonly logger: Logger
  /** Headers for what no caller asks for: handshake, streams and the end of the session. */
  readonly headers: (signal?: AbortSignal) => Promise<Readonly<Record<string, string>>>
}

const errorBodyLimit = 65_536
const resumptions = { attempts: 2, waitMs: 1_000, maxWaitMs: 5_000 }
const lingerMs = 1_000
const endMs = 2_000

/**
 * Streamable HTTP, both eras, as a transport of the SDK and as an exchange of single requests.
 *
 * @see MCP "Streamable HTTP"
 */
export class HttpCarrier implements Carrier {
  readonly hasPerRequestStream = true
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Carrier['onmessage']
  sessionId?: string | undefined
  readonly #endpoint: HttpEndpoint
  readonly #options: HttpCarrierOptions
  readonly #closing = new AbortController()
  readonly #owners = new Map<string, ExchangeOptions>()
  #protocolVersion: string | undefined

  constructor(endpoint: HttpEndpoint, options: HttpCarrierOptions) {
    this.#endpoint = endpoint
    this.#options = options
  }

  async start(): Promise<void> {
    // The first message opens the connection.
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version
  }

  /** For the SDK's own messages: handshake, `ping`, `subscriptions/listen` and answers to the backend. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!isJSONRPCRequest(message)) return this.#post(message, options.requestSignal ?? this.#closing.signal)
    const listening = message.method === 'subscriptions/listen'
    const answer = await this.exchange(message, {
      signal: options.requestSignal ?? this.#closing.signal,
      ...(listening && { onNotification: (incoming) => this.#hand({ jsonrpc: '2.0', ...incoming }) }),
    }).catch((error: unknown) => {
      if (listening) options.onRequestStreamEnd?.()
      throw error
    })
    this.onmessage?.(toSdkAnswer(message.id, answer))
  }

  async exchange(request: RpcRequest, options: ExchangeOptions): Promise<RpcAnswer> {
    const headers = postHeaders(request, {
      extra: options.headers ?? (await this.#options.headers(options.signal)),
      parameters: options.parameterHeaders,
      protocolVersion: versionOf(request) ?? this.#protocolVersion,
      sessionId: request.method === 'initialize' ? undefined : this.sessionId,
    })
    return new Promise((resolve, reject) => {
      this.#carry(request, options, { headers, resolve, reject }).catch(reject)
    })
  }

  cancel(request: RpcRequest, options: ExchangeOptions): void {
    if (this.#isStateless()) return
    const message = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params: { requestId: request.id } }
    this.#post(message, undefined, options.headers).catch((error: unknown) => this.#failed('cancel', error))
  }

  ownerOf(requestId: string | number): ExchangeOptions | undefined {
    return this.#owners.get(String(requestId))
  }

  watch(signal: AbortSignal): Promise<void> {
    if (this.#isStateless()) return Promise.resolve()
    return watchStream({
      endpoint: this.#endpoint,
      limits: this.#options.limits,
      signal: AbortSignal.any([signal, this.#closing.signal]),
      headers: async (lastEventId) => streamHeaders(await this.#sources(), lastEventId),
      incoming: (raw) => this.#hand(raw),
      lost: () => void this.close(),
      failed: (error) => this.#failed('notification stream', error),
    })
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    this.onclose?.()
  }

  async end(): Promise<void> {
    if (this.sessionId !== undefined && !this.#isStateless() && !this.#closing.signal.aborted) {
      await this.#deleteSession().catch((error: unknown) => this.#failed('end of session', error))
    }
    await this.close()
  }

  async #deleteSession(): Promise<void> {
    const signal = AbortSignal.timeout(endMs)
    const headers = streamHeaders(await this.#sources(signal))
    this.sessionId = undefined
    await this.#endpoint.send({ method: 'DELETE', headers, signal }, () => () => {})
  }

  async #carry(request: RpcRequest, options: ExchangeOptions, call: Call): Promise<void> {
    const { limits } = this.#options
    const listener = {
      answer: call.resolve,
      incoming: (incoming: RpcIncoming, raw: JsonObject) => this.#incoming(incoming, raw, options),
    }
    let stream: EventStreamReader | undefined
    let body: BodyCollector | undefined
    let linger: NodeJS.Timeout | undefined

    const receive = (head: HttpHead, stop: (error: unknown) => void) => {
      if (request.method === 'initialize') this.sessionId = sessionOf(head)
      if (!isSuccess(head)) return (body = new BodyCollector(errorBodyLimit, true)).sink
      refuseEncoding(head)
      if (!isEventStream(head)) return (body = new BodyCollector(limits.maxMessageBytes)).sink
      const events = (stream = new EventStreamReader(request, { limits, listener }))
      return (chunk: Uint8Array) => {
        events.sink(chunk)
        if (events.answered) linger ??= setTimeout(() => stop(new WireFailure({ kind: 'cancelled' })), lingerMs).unref()
      }
    }
    const isListening = request.method === 'subscriptions/listen'
    const waitsForPeople = options.onRequest !== undefined
    const { signal } = options
    try {
      const message = { method: 'POST' as const, headers: call.headers, body: JSON.stringify(request), signal }
      const head = await this.#endpoint.send({ ...message, stream: isListening || waitsForPeople }, receive)
      if (!isSuccess(head)) return this.#refused(request, head, { body: body?.text ?? '', call })
      if (stream === undefined) return readJsonAnswer(jsonText(head, body?.text ?? ''), request, { limits, listener })
      stream.end()
      if (!isListening) await this.#resume(stream, signal)
      if (!stream.answered) call.reject(new WireFailure({ kind: 'closed', detail: 'the answer ended too early' }))
    } catch (error) {
      if (stream?.answered !== true) throw error
    } finally {
      clearTimeout(linger)
      if (this.#owners.size > 0) this.#disown(options)
    }
  }

  /** A stream that names its events and ends before the answer can be taken up again (2025-11-25, "Resumability"). */
  async #resume(stream: EventStreamReader, signal: AbortSignal | undefined): Promise<void> {
    for (let attempt = 0; attempt < resumptions.attempts && !stream.answered; attempt += 1) {
      if (this.#isStateless() || stream.lastEventId === undefined) return
      await pause(Math.min(stream.retryMs ?? resumptions.waitMs, resumptions.maxWaitMs), signal)
      const known = stream.lastEventId
      const headers = streamHeaders(await this.#sources(signal), known)
      const head = await this.#endpoint.send({ method: 'GET', headers, signal, stream: true }, (start) =>
        start.status === 200 && isEventStream(start) ? stream.sink : () => {},
      )
      stream.end()
      if (head.status !== 200) return
      if (stream.lastEventId !== known) attempt = -1
    }
  }

  #refused(request: RpcRequest, head: HttpHead, { body, call }: { readonly body: string; readonly call: Call }): void {
    const { status } = head
    const found = parseErrorBody(body)
    const isOwn = found !== undefined && answers(found.id, request)
    const sessionLost =
      this.sessionId !== undefined &&
      request.method !== 'initialize' &&
      (status === 404 || (status === 400 && found !== undefined && sessionCodes.has(found.error.code)))
    if (isOwn && !sessionLost && status < 500 && !isAuthStatus(status) && status !== 408 && status !== 429) {
      return call.resolve({ error: found.error })
    }
    const rpcError = found === undefined ? {} : { rpcError: found.error }
    call.reject(new WireFailure({ kind: 'http', status, isOwn, sessionLost, ...rpcError }))
  }

  async #post(message: JsonObject, signal?: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<void> {
    const sources = headers === undefined ? await this.#sources(signal) : this.#withSession(headers)
    const named = typeof message['method'] === 'string' ? { method: message['method'] } : undefined
    const head = await this.#endpoint.send(
      { method: 'POST', headers: postHeaders(named, sources), body: JSON.stringify(message), signal, stream: true },
      () => () => {},
    )
    if (head.status > 299) throw new WireFailure({ kind: 'http', status: head.status })
  }

  #incoming(incoming: RpcIncoming, raw: JsonObject, options: ExchangeOptions): void {
    if (incoming.id !== undefined) this.#owners.set(String(incoming.id), options)
    else if (options.onNotification !== undefined) return options.onNotification(incoming)
    this.#hand(raw)
  }

  #disown(options: ExchangeOptions): void {
    for (const [id, owner] of this.#owners) if (owner === options) this.#owners.delete(id)
  }

  #hand(raw: JsonObject): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(raw))
    } catch (error) {
      this.#failed('message', error)
    }
  }

  async #sources(signal?: AbortSignal) {
    return this.#withSession(await this.#options.headers(signal))
  }

  #withSession(extra: Readonly<Record<string, string>>) {
    return { extra, protocolVersion: this.#protocolVersion, sessionId: this.sessionId }
  }

  #isStateless(): boolean {
    return this.#protocolVersion === statelessRevision
  }

  #failed(what: string, error: unknown): void {
    const fault = error instanceof WireFailure ? error.fault : undefined
    if (fault?.kind === 'cancelled') return
    this.#options.logger.debug(`backend ${what} failed`, { fault: fault?.kind ?? 'unexpected' })
  }
}

interface Call {
  readonly headers: Readonly<Record<string, string>>
  readonly resolve: (answer: RpcAnswer) => void
  readonly reject: (error: unknown) => void
}

/** How servers in the field say with HTTP 400 that they do not know a session. */
const sessionCodes = new Set([-32600, -32000])

function versionOf(request: RpcRequest): string | undefined {
  const meta = request.params?.['_meta']
  const version = (meta as JsonObject | undefined)?.['io.modelcontextprotocol/protocolVersion']
  return typeof version === 'string' ? version : undefined
}

function parseErrorBody(body: string) {
  try {
    return errorOfBody(parseExact(body))
  } catch {
    return undefined
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    const onAbort = () => {
      clearTimeout(timer)
      reject(new WireFailure({ kind: 'cancelled' }))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
