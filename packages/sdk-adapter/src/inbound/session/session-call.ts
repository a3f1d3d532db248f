import type { Cancelled, ClientCapabilities, Logger } from '@vmcp/domain'
import { Cancellation } from '@vmcp/domain'
import { answerFailure } from '../answer-failure.js'
import type { AnswerStream } from '../call-answer.js'
import { CallAnswer } from '../call-answer.js'
import type { ChannelEnd } from '../client-channel.js'
import type { JsonText, MessageExchange } from '../exchange.js'
import type { RequestId, RequestMessage } from '../wire/json-rpc.js'
import { resultText } from '../wire/json-rpc.js'
import type { RunningCall } from './running-calls.js'
import type { Session } from './session.js'

/** One request of a session while it runs: its answer, its client's side, and the way to stop it. */
export class SessionCall extends CallAnswer implements ChannelEnd, RunningCall {
  readonly request: RequestMessage
  /** Cancelled when the call is to stop. */
  readonly cancellation = new Cancellation()
  place = -1
  readonly #session: Session
  readonly #logger: Logger

  constructor(
    exchange: MessageExchange,
    session: Session,
    { request, logger }: { readonly request: RequestMessage; readonly logger: Logger },
  ) {
    super(exchange)
    this.request = request
    this.#session = session
    this.#logger = logger
  }

  get id(): RequestId {
    return this.request.id
  }

  get capabilities(): ClientCapabilities {
    return this.#session.client.capabilities
  }

  get logLevel(): string {
    return this.#session.logLevel
  }

  sendApart(text: string): boolean {
    return this.#session.sendApart(text)
  }

  /** Answers with a result that is already serialised. */
  succeed(result: JsonText): void {
    this.finish(200, resultText(this.request.id, result))
  }

  /** Answers with what the verb rejected with. */
  fail(error: unknown): void {
    answerFailure(this, error, { request: this.request, era: '2025', logger: this.#logger })
  }

  /** A client that cancels its request gets no answer; one whose session ended does. */
  stop(reason?: Cancelled): void {
    if (this.cancellation.isCancelled) return
    if (reason === undefined) this.abandon()
    else this.fail(reason)
    this.cancellation.cancel(reason)
  }

  protected override openStream(): AnswerStream {
    return this.#session.streams.open(this.responder.stream(), { primed: this.#session.primesStreams })
  }
}
