import type { JsonObject } from '@vmcp/domain'
import { parseExact } from '../../json/exact-json.js'
import type { RpcAnswer, RpcIncoming, RpcMessage } from '../json-rpc.js'
import { answers, isShallow, readMessage } from '../json-rpc.js'
import { WireFailure } from '../wire-failure.js'
import type { BodySink } from './http-endpoint.js'
import { SseParser } from './sse-parser.js'

/** What an answer may be. */
export interface AnswerLimits {
  /** Bytes of one message. */
  readonly maxMessageBytes: number
  /** Levels of nesting of one message. */
  readonly maxDepth: number
}

/** Who hears what a response body holds. */
export interface AnswerListener {
  /** The answer to the request, once. */
  answer(answer: RpcAnswer): void
  /** A notification or a request of the backend on this request's own stream. */
  incoming(incoming: RpcIncoming, raw: JsonObject): void
}

/** Parses one message. Throws a `WireFailure` that says nothing of the text. */
export function parseMessage(text: string, limits: AnswerLimits): unknown {
  let value: unknown
  try {
    value = parseExact(text)
  } catch (error) {
    // What is JSON, and nested so deep that the stack is not enough for its numbers.
    if (error instanceof RangeError) throw tooDeep(limits, { cause: error })
    throw new WireFailure(
      { kind: 'protocol', detail: 'the answer is not JSON', violation: 'not-json-rpc' },
      { cause: error },
    )
  }
  // Every level of nesting has two brackets, so that a short text cannot be deep.
  if (text.length > 2 * limits.maxDepth && !isShallow(value, limits.maxDepth)) throw tooDeep(limits)
  return value
}

function tooDeep({ maxDepth }: AnswerLimits, options?: ErrorOptions): WireFailure {
  return new WireFailure({ kind: 'protocol', detail: `the answer is nested deeper than ${maxDepth} levels` }, options)
}

/** Collects a body up to a limit. Beyond it, it fails, or stops to listen when `truncate` is set. */
export class BodyCollector {
  readonly #limit: number
  readonly #truncate: boolean
  #first: Buffer | undefined
  #others: Buffer[] | undefined
  #size = 0

  constructor(limit: number, truncate = false) {
    this.#limit = limit
    this.#truncate = truncate
  }

  write(chunk: Buffer): void {
    this.#size += chunk.byteLength
    if (this.#size > this.#limit) {
      if (this.#truncate) return
      throw new WireFailure({ kind: 'too-large', limitBytes: this.#limit })
    }
    if (this.#first === undefined) this.#first = chunk
    else (this.#others ??= []).push(chunk)
  }

  get text(): string {
    if (this.#first === undefined) return ''
    return this.#others === undefined
      ? this.#first.toString()
      : Buffer.concat([this.#first, ...this.#others]).toString()
  }
}

/** Reads a JSON body: one message, or an array of them (2025-03-26). The answer must be among them. */
export function readJsonAnswer(
  text: string,
  request: { readonly id: number | string },
  options: { readonly limits: AnswerLimits; readonly listener: AnswerListener },
): void {
  const value = parseMessage(text, options.limits)
  let isAnswered = false
  let answersAnother = false
  for (const element of Array.isArray(value) ? value : [value]) {
    const message = readMessage(element)
    if (deliver(message, request, options.listener)) isAnswered = true
    else if (message.kind === 'answer') answersAnother = true
  }
  if (isAnswered) return
  const detail = answersAnother ? 'it answered another request than the one it got' : 'the answer is not JSON-RPC'
  throw new WireFailure({ kind: 'protocol', detail, violation: 'not-json-rpc' })
}

/** Reads the events of one response stream. */
export class EventStreamReader {
  readonly #parser: SseParser
  readonly #limits: AnswerLimits
  /** The last event id, for a resumption. */
  lastEventId: string | undefined
  /** The wait the stream asks for before a reconnection. */
  retryMs: number | undefined
  answered = false

  constructor(
    request: { readonly id: number | string } | undefined,
    options: { readonly limits: AnswerLimits; readonly listener: AnswerListener },
  ) {
    this.#limits = options.limits
    this.#parser = new SseParser({
      event: ({ type, data, id }) => {
        if (id !== undefined && id !== '') this.lastEventId = id
        if (type !== 'message' || data === '' || this.answered) return
        this.#bound(data.length)
        const message = readMessage(parseMessage(data, options.limits))
        if (deliver(message, request, options.listener)) this.answered = true
      },
      retry: (milliseconds) => {
        this.retryMs = milliseconds
      },
    })
  }

  readonly sink: BodySink = (chunk) => {
    this.#parser.write(chunk)
    this.#bound(this.#parser.heldLength)
  }

  end(): void {
    this.#parser.end()
  }

  #bound(length: number): void {
    const { maxMessageBytes } = this.#limits
    if (length > maxMessageBytes) throw new WireFailure({ kind: 'too-large', limitBytes: maxMessageBytes })
  }
}

function deliver(
  message: RpcMessage,
  request: { readonly id: number | string } | undefined,
  listener: AnswerListener,
): boolean {
  if (message.kind === 'incoming') listener.incoming(message.incoming, message.raw)
  if (message.kind !== 'answer' || request === undefined || !answers(message.id, request)) return false
  listener.answer(message.answer)
  return true
}
