import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client'
import { isJSONRPCRequest, parseJSONRPCMessage } from '@modelcontextprotocol/client'
import type { Logger } from '@vmcp/domain'
import type { Carrier, ExchangeOptions } from '../carrier.js'
import type { RpcAnswer, RpcRequest } from '../json-rpc.js'
import { readMessage } from '../json-rpc.js'
import { PendingRequests } from '../pending-requests.js'
import { toSdkAnswer } from '../sdk-answer.js'
import { WireFailure } from '../wire-failure.js'
import type { AnswerLimits } from './answer-reader.js'
import { parseMessage } from './answer-reader.js'
import type { HttpHead } from './http-call.js'
import type { HttpEndpoint } from './http-endpoint.js'
import { PostHeaders, streamHeaders } from './protocol-headers.js'
import { isEventStream, isSuccess } from './response-head.js'
import { SseParser } from './sse-parser.js'

/** What an `SseCarrier` is given. */
export interface SseCarrierOptions {
  readonly limits: AnswerLimits
  readonly logger: Logger
  readonly headers: (signal?: AbortSignal) => Promise<Readonly<Record<string, string>>>
}

/**
 * The HTTP+SSE transport of revision 2024-11-05: one stream brings every message, and its first event says where to post.
 * The place to post must have the origin of the stream.
 */
export class SseCarrier implements Carrier {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Carrier['onmessage']
  readonly #endpoint: HttpEndpoint
  readonly #options: SseCarrierOptions
  readonly #pending = new PendingRequests()
  readonly #closing = new AbortController()
  readonly #postHeaders = new PostHeaders()
  #postPath: string | undefined
  #protocolVersion: string | undefined
  #isClosed = false

  constructor(endpoint: HttpEndpoint, options: SseCarrierOptions) {
    this.#endpoint = endpoint
    this.#options = options
  }

  /** Opens the stream and waits for the place to post. */
  async start(): Promise<void> {
    const { signal } = this.#closing
    const extra = await this.#options.headers(signal)
    const headers = streamHeaders({ extra, protocolVersion: undefined, sessionId: undefined })
    return new Promise((resolve, reject) => {
      const parser = new SseParser({
        event: ({ type, data }) => {
          if (type === 'message') this.#message(data)
          if (type !== 'endpoint') return
          this.#postPath = this.#pathOf(data)
          resolve()
        },
      })
      const { maxMessageBytes } = this.#options.limits
      const receive = (head: HttpHead) => {
        if (!isSuccess(head)) throw new WireFailure({ kind: 'http', status: head.status })
        if (!isEventStream(head)) throw new WireFailure({ kind: 'protocol', detail: 'it offers no event stream' })
        return (chunk: Buffer) => {
          parser.write(chunk)
          if (parser.heldLength <= maxMessageBytes) return
          throw new WireFailure({ kind: 'too-large', limitBytes: maxMessageBytes })
        }
      }
      const ended = new WireFailure({ kind: 'closed', detail: 'the event stream ended' })
      this.#endpoint
        .send({ method: 'GET', headers, signal, stream: true }, receive)
        .then(() => ended)
        .catch((error: unknown) => error)
        .then((reason) => {
          reject(reason)
          this.#finish(reason)
        })
    })
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isJSONRPCRequest(message)) {
      const answer = await this.exchange(message, {
        call: { signal: options.requestSignal },
        isCancelledSilently: true,
      })
      this.onmessage?.(toSdkAnswer(message.id, answer))
      return
    }
    await this.#post(message, await this.#options.headers(this.#closing.signal), this.#closing.signal)
  }

  async exchange(request: RpcRequest, options: ExchangeOptions): Promise<RpcAnswer> {
    const headers = options.headers ?? (await this.#options.headers(options.call?.signal))
    return this.#pending.wait(request, options, {
      send: () => this.#post(request, headers, options.call?.signal),
      cancel: () => this.#cancel(request, headers),
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#finish(new WireFailure({ kind: 'cancelled' }))
  }

  end(): Promise<void> {
    return this.close()
  }

  #cancel({ id }: RpcRequest, headers: Readonly<Record<string, string>>): void {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }
    this.#post(message, headers, this.#closing.signal).catch(() => {
      this.#options.logger.debug('backend cancel failed')
    })
  }

  async #post(message: object, extra: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed || this.#postPath === undefined) {
      throw new WireFailure({ kind: 'closed', detail: 'the event stream ended' })
    }
    const sources = { extra, protocolVersion: this.#protocolVersion, sessionId: undefined }
    const headers = this.#postHeaders.of(undefined, sources)
    const request = { method: 'POST' as const, path: this.#postPath, headers, body: JSON.stringify(message), signal }
    const { status } = await this.#endpoint.send(request, () => () => {})
    if (status > 299) throw new WireFailure({ kind: 'http', status, sessionLost: status === 404 })
  }

  #message(data: string): void {
    let value: unknown
    try {
      value = parseMessage(data, this.#options.limits)
    } catch {
      return this.#options.logger.debug('backend sent an event that is not a message')
    }
    const message = readMessage(value)
    if (message.kind === 'answer') {
      const pending = this.#pending.get(message.id)
      if (pending !== undefined) return pending.resolve(message.answer)
    }
    if (message.kind === 'incoming' && this.#pending.takeProgress(message.incoming)) return
    this.#hand(value)
  }

  #hand(value: unknown): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(value))
    } catch {
      this.#options.logger.debug('backend sent an event that is not a message')
    }
  }

  #pathOf(data: string): string {
    const target = URL.parse(data, this.#endpoint.url.href)
    if (target === null || target.origin !== this.#endpoint.url.origin) {
      throw new WireFailure({ kind: 'protocol', detail: 'it names another origin to post to' })
    }
    return target.pathname + target.search
  }

  #finish(reason: unknown): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#pending.rejectAll(reason)
    this.onclose?.()
  }
}
