import type { JsonText, Responder } from './exchange.js'
import { wholeText } from './wire/json-rpc.js'

/** The answer to one request: a document, or a stream once something has to be said before the result. */
export interface CallAnswer {
  /** Sends a message ahead of the result. False when it cannot reach the client. */
  send(text: string): boolean
  /** Sends the result or error and ends. */
  finish(status: number, text: JsonText): void
  /** Ends without a result: for a request that its client cancelled. */
  abandon(): void
}

/** What carries the messages of one answer. */
export interface AnswerStream {
  send(data: string): void
  end(): void
}

/** How one answer goes out. */
export interface AnswerOptions {
  readonly acceptsStream: boolean
  /** Headers of a JSON answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Opens the stream when it is needed. */
  readonly openStream: () => AnswerStream
}

/** Answers over `responder`: JSON with one write as long as nothing precedes the result. */
export function createCallAnswer(responder: Responder, options: AnswerOptions): CallAnswer {
  let stream: AnswerStream | undefined
  let ended = false
  return {
    send: (text) => {
      if (ended || !options.acceptsStream) return false
      stream ??= options.openStream()
      stream.send(text)
      return true
    },
    finish: (status, text) => {
      if (ended) return
      ended = true
      if (stream === undefined) return responder.json(status, text, options.headers)
      stream.send(wholeText(text))
      stream.end()
    },
    abandon: () => {
      if (ended) return
      ended = true
      if (stream === undefined) responder.json(202)
      else stream.end()
    },
  }
}
