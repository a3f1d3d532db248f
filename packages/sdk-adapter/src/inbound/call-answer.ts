import type { JsonText, MessageExchange, Responder } from './exchange.js'
import { wholeText } from './wire/json-rpc.js'

/** What carries the messages of one answer. */
export interface AnswerStream {
  send(data: string): void
  end(): void
}

/** The answer to one request: JSON in one write, or a stream once something has to be said before the result. */
export abstract class CallAnswer {
  protected readonly responder: Responder
  readonly #acceptsStream: boolean
  #stream: AnswerStream | undefined
  #ended = false

  constructor({ responder, acceptsStream }: MessageExchange) {
    this.responder = responder
    this.#acceptsStream = acceptsStream
  }

  /** Sends a message ahead of the result. False when it cannot reach the client. */
  send(text: string): boolean {
    if (this.#ended || !this.#acceptsStream) return false
    this.#stream ??= this.openStream()
    this.#stream.send(text)
    return true
  }

  /** Sends the result or error and ends. */
  finish(status: number, text: JsonText): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#stream === undefined) return this.responder.json(status, text, this.headers)
    this.#stream.send(wholeText(text))
    this.#stream.end()
  }

  /** Ends without a result: for a request that its client cancelled. */
  abandon(): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#stream === undefined) this.responder.json(202)
    else this.#stream.end()
  }

  /** Headers of a JSON answer. */
  protected get headers(): Readonly<Record<string, string>> | undefined {
    return undefined
  }

  /** Opens the stream when it is needed. */
  protected abstract openStream(): AnswerStream
}
