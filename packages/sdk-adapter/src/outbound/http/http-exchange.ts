import type { CancelListener, JsonObject } from '@vmcp/domain'
import { isCancelled, offCancel, onCancel } from '@vmcp/domain'
import type { ExchangeOptions } from '../carrier.js'
import type { RpcAnswer, RpcIncoming, RpcRequest } from '../json-rpc.js'
import { WireFailure } from '../wire-failure.js'
import type { AnswerLimits, AnswerListener } from './answer-reader.js'
import { BodyCollector, EventStreamReader, readJsonAnswer } from './answer-reader.js'
import type { HttpCall, HttpHead, ResponseReader } from './http-call.js'
import type { HttpEndpoint } from './http-endpoint.js'
import { isEventStream, isSuccess, jsonText, refuseEncoding } from './response-head.js'

/** The session that an exchange is part of. */
export interface ExchangeHost {
  readonly endpoint: HttpEndpoint
  readonly limits: AnswerLimits
  /** The response to `initialize` begins. */
  initialized(head: HttpHead): void
  /** The backend sent something beside the answer. */
  incoming(incoming: RpcIncoming, raw: JsonObject, options: ExchangeOptions): void
  /** The answer in the body of an HTTP error, if it is one. Throws what the error means otherwise. */
  refused(request: RpcRequest, head: HttpHead, body: string): RpcAnswer
  /** True where a stream that ended too early can be taken up again. */
  readonly canResume: boolean
  /** The headers that take a stream up again after that event. */
  resumption(lastEventId: string, signal: AbortSignal | undefined): Promise<string[]>
  /** The caller has given the request up before it was answered. */
  cancelled(request: RpcRequest, options: ExchangeOptions): void
  /** The exchange is over. */
  ended(options: ExchangeOptions): void
}

/** One request, and what becomes of it. */
export interface HttpExchangeParts {
  readonly request: RpcRequest
  readonly headers: string[]
  readonly options: ExchangeOptions
  readonly resolve: (answer: RpcAnswer) => void
  readonly reject: (error: unknown) => void
}

const errorBodyLimit = 65_536
const resumptions = { attempts: 2, waitMs: 1_000, maxWaitMs: 5_000 }
const lingerMs = 1_000

/** One request over streamable HTTP with its answer, which comes as JSON or on a stream of events. */
export class HttpExchange implements ResponseReader, AnswerListener, CancelListener {
  readonly #host: ExchangeHost
  readonly #parts: HttpExchangeParts
  #call: HttpCall | undefined
  /** Goes on with the stream that the first one has broken off. */
  #resumed: HttpCall | undefined
  #body: BodyCollector | undefined
  #stream: EventStreamReader | undefined
  #linger: NodeJS.Timeout | undefined

  constructor(host: ExchangeHost, parts: HttpExchangeParts) {
    this.#host = host
    this.#parts = parts
  }

  start(): void {
    const { request, headers, options, reject } = this.#parts
    if (isCancelled(options.call)) return reject(new WireFailure({ kind: 'cancelled' }))
    const stream = this.#isListening || options.onRequest !== undefined
    this.#call = this.#host.endpoint.call({ method: 'POST', headers, body: JSON.stringify(request), stream }, this)
    onCancel(options.call, this)
    this.#call.start()
  }

  head(head: HttpHead): void {
    const { request } = this.#parts
    const { limits } = this.#host
    if (request.method === 'initialize') this.#host.initialized(head)
    if (!isSuccess(head)) {
      this.#body = new BodyCollector(errorBodyLimit, true)
      return
    }
    refuseEncoding(head)
    if (isEventStream(head)) this.#stream = new EventStreamReader(request, { limits, listener: this })
    else this.#body = new BodyCollector(limits.maxMessageBytes)
  }

  data(chunk: Buffer): void {
    if (this.#stream === undefined) return this.#body?.write(chunk)
    this.#stream.sink(chunk)
    if (!this.#stream.answered) return
    this.#linger ??= setTimeout(() => this.#stop(), lingerMs).unref()
  }

  end(head: HttpHead): void {
    const { request, resolve } = this.#parts
    if (this.#stream !== undefined) return void this.#endStream(this.#stream)
    const body = this.#body?.text ?? ''
    if (!isSuccess(head)) resolve(this.#host.refused(request, head, body))
    else readJsonAnswer(jsonText(head, body), request, { limits: this.#host.limits, listener: this })
    this.#leave()
  }

  /** It failed. After the answer that changes nothing any more. */
  failed(error: unknown): void {
    this.#leave()
    this.#parts.reject(error)
  }

  answer(answer: RpcAnswer): void {
    this.#parts.resolve(answer)
  }

  incoming(incoming: RpcIncoming, raw: JsonObject): void {
    this.#host.incoming(incoming, raw, this.#parts.options)
  }

  get #isListening(): boolean {
    return this.#parts.request.method === 'subscriptions/listen'
  }

  /** The request is given up. */
  handleEvent(): void {
    const { request, options } = this.#parts
    const isWaitedFor = this.#call?.isSent === true && this.#stream?.answered !== true
    if (isWaitedFor && options.isCancelledSilently !== true) this.#host.cancelled(request, options)
    this.#stop()
  }

  #stop(): void {
    const call = this.#resumed ?? this.#call
    call?.stop(new WireFailure({ kind: 'cancelled' }))
  }

  async #endStream(stream: EventStreamReader): Promise<void> {
    try {
      stream.end()
      if (!this.#isListening) await this.#resume(stream)
      if (!stream.answered) throw new WireFailure({ kind: 'closed', detail: 'the answer ended too early' })
      this.#leave()
    } catch (error) {
      this.failed(error)
    }
  }

  /** A stream that names its events and ends before the answer can be taken up again (2025-11-25, "Resumability"). */
  async #resume(stream: EventStreamReader): Promise<void> {
    const signal = this.#parts.options.call?.signal
    for (let attempt = 0; attempt < resumptions.attempts && !stream.answered; attempt += 1) {
      const known = stream.lastEventId
      if (known === undefined || !this.#host.canResume) return
      await pause(Math.min(stream.retryMs ?? resumptions.waitMs, resumptions.maxWaitMs), signal)
      const headers = await this.#host.resumption(known, signal)
      const head = await this.#reopen(headers)
      stream.end()
      if (head.status !== 200) return
      if (stream.lastEventId !== known) attempt = -1
    }
  }

  /** The rest of the stream, by GET. It is read, given up and cut like the first part. */
  #reopen(headers: string[]): Promise<HttpHead> {
    return new Promise((resolve, reject) => {
      if (isCancelled(this.#parts.options.call)) return reject(new WireFailure({ kind: 'cancelled' }))
      let isHeard = false
      const reader: ResponseReader = {
        head: (head) => {
          isHeard = head.status === 200 && isEventStream(head)
        },
        data: (chunk) => {
          if (isHeard) this.data(chunk)
        },
        end: resolve,
        failed: reject,
      }
      this.#resumed = this.#host.endpoint.call({ method: 'GET', headers, stream: true }, reader)
      this.#resumed.start()
    })
  }

  #leave(): void {
    const { options } = this.#parts
    offCancel(options.call, this)
    if (this.#linger !== undefined) clearTimeout(this.#linger)
    this.#host.ended(options)
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(new WireFailure({ kind: 'cancelled' }))
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
