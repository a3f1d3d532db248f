import { setMaxListeners } from 'node:events'
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client'
import { isJSONRPCRequest, parseJSONRPCMessage } from '@modelcontextprotocol/client'
import type { JsonObject, Logger } from '@vmcp/domain'
import { parseExact } from '../../json/exact-json.js'
import type { Carrier, ExchangeOptions } from '../carrier.js'
import type { RpcAnswer, RpcIncoming, RpcRequest } from '../json-rpc.js'
import { answers, errorOfBody } from '../json-rpc.js'
import { toSdkAnswer } from '../sdk-answer.js'
import { WireFailure } from '../wire-failure.js'
import type { AnswerLimits } from './answer-reader.js'
import type { HttpHead } from './http-call.js'
import type { HttpEndpoint } from './http-endpoint.js'
import type { ExchangeHost } from './http-exchange.js'
import { HttpExchange } from './http-exchange.js'
import { watchStream } from './notification-stream.js'
import { PostHeaders, statelessRevision, streamHeaders } from './protocol-headers.js'
import { isAuthStatus, sessionOf } from './response-head.js'

/** What an `HttpCarrier` is given. */
export interface HttpCarrierOptions {
  readonly limits: AnswerLimits
  readonly logger: Logger
  /** Headers for what no caller asks for: handshake, streams and the end of the session. */
  readonly headers: (signal?: AbortSignal) => Promise<Readonly<Record<string, string>>>
}

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
  readonly #postHeaders = new PostHeaders()
  readonly #host: ExchangeHost
  #protocolVersion: string | undefined

  constructor(endpoint: HttpEndpoint, options: HttpCarrierOptions) {
    this.#endpoint = endpoint
    // Any number of answers to the backend's questions may be on their way when it closes.
    setMaxListeners(0, this.#closing.signal)
    this.#options = options
    this.#host = this.#createHost()
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
      call: { signal: options.requestSignal ?? this.#closing.signal },
      isCancelledSilently: true,
      ...(listening && { onNotification: (incoming) => this.#hand({ jsonrpc: '2.0', ...incoming }) }),
    }).catch((error: unknown) => {
      if (listening) options.onRequestStreamEnd?.()
      throw error
    })
    this.onmessage?.(toSdkAnswer(message.id, answer))
  }

  exchange(request: RpcRequest, options: ExchangeOptions): Promise<RpcAnswer> {
    if (options.headers !== undefined) return this.#exchange(request, options, options.headers)
    return this.#options.headers(options.call?.signal).then((headers) => this.#exchange(request, options, headers))
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
    await this.#endpoint.send({ method: 'DELETE', headers, signal }, () => ignoreBody)
  }

  #exchange(
    request: RpcRequest,
    options: ExchangeOptions,
    extra: Readonly<Record<string, string>>,
  ): Promise<RpcAnswer> {
    const headers = this.#postHeaders.of(request, {
      extra,
      parameters: options.parameterHeaders,
      protocolVersion: versionOf(request) ?? this.#protocolVersion,
      sessionId: request.method === 'initialize' ? undefined : this.sessionId,
    })
    return new Promise((resolve, reject) => {
      new HttpExchange(this.#host, { request, headers, options, resolve, reject }).start()
    })
  }

  /** What an exchange needs of this session. */
  #createHost(): ExchangeHost {
    const isResumable = () => !this.#isStateless()
    return {
      endpoint: this.#endpoint,
      limits: this.#options.limits,
      get canResume() {
        return isResumable()
      },
      initialized: (head) => {
        this.sessionId = sessionOf(head)
      },
      incoming: (incoming, raw, options) => this.#incoming(incoming, raw, options),
      refused: (request, head, body) => this.#refused(request, head, body),
      resumption: async (lastEventId, signal) => streamHeaders(await this.#sources(signal), lastEventId),
      cancelled: (request, options) => this.#cancel(request, options),
      ended: (options) => this.#disown(options),
    }
  }

  #cancel(request: RpcRequest, options: ExchangeOptions): void {
    if (this.#isStateless()) return
    const message = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params: { requestId: request.id } }
    this.#post(message, undefined, options.headers).catch((error: unknown) => this.#failed('cancel', error))
  }

  #refused(request: RpcRequest, { status }: HttpHead, body: string): RpcAnswer {
    const found = parseErrorBody(body)
    const isOwn = found !== undefined && answers(found.id, request)
    const sessionLost =
      this.sessionId !== undefined &&
      request.method !== 'initialize' &&
      (status === 404 || (status === 400 && found !== undefined && sessionCodes.has(found.error.code)))
    if (isOwn && !sessionLost && status < 500 && !isAuthStatus(status) && status !== 408 && status !== 429) {
      return { error: found.error }
    }
    const rpcError = found === undefined ? {} : { rpcError: found.error }
    throw new WireFailure({ kind: 'http', status, isOwn, sessionLost, ...rpcError })
  }

  async #post(message: JsonObject, signal?: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<void> {
    const sources = headers === undefined ? await this.#sources(signal) : this.#withSession(headers)
    const named = typeof message['method'] === 'string' ? { method: message['method'] } : undefined
    const head = await this.#endpoint.send(
      {
        method: 'POST',
        headers: this.#postHeaders.of(named, sources),
        body: JSON.stringify(message),
        signal,
        stream: true,
      },
      () => ignoreBody,
    )
    if (head.status > 299) throw new WireFailure({ kind: 'http', status: head.status })
  }

  #incoming(incoming: RpcIncoming, raw: JsonObject, options: ExchangeOptions): void {
    if (incoming.id !== undefined) this.#owners.set(String(incoming.id), options)
    else if (options.onNotification !== undefined) return options.onNotification(incoming)
    this.#hand(raw)
  }

  #disown(options: ExchangeOptions): void {
    if (this.#owners.size === 0) return
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

function ignoreBody(): void {
  // A body that nobody reads.
}
