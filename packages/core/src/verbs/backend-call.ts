import {
  BackendTimeout,
  BackendUnavailable,
  CancellableOptions,
  Cancellation,
  isInputRequired,
  isJsonObject,
  isVmcpError,
} from '@vmcp/domain'
import type { BackendCallOptions, BackendClient, CallOptions, VmcpError } from '@vmcp/domain'
import type * as Clock from 'effect/Clock'

import type { Circuit } from '../health/circuit.js'
import type { Attempt } from '../health/circuit-breaker.js'
import { evidenceOf } from '../health/evidence.js'
import type { Evidence } from '../health/evidence.js'
import { monotonicMs } from '../monotonic.js'
import type { Awaited } from './deadline-keeper.js'
import { keeperOf } from './deadline-keeper.js'
import { HeardClient } from './heard-client.js'
import type { ChannelWatch } from './heard-client.js'

/** Who is asked, for what, and what becomes of the answer. */
export interface Errand<Answer, Result> {
  readonly backendId: string
  /** The list that every answer has, unless it asks for input first. */
  readonly list: 'content' | 'contents' | 'messages' | 'values'
  /** Asks. `undefined` means that the client has no such method. */
  readonly ask: (client: BackendClient, options: BackendCallOptions) => Promise<Answer> | undefined
  /** `Mcp-Param-*` headers made from the arguments. */
  readonly parameterHeaders?: Readonly<Record<string, string>> | undefined
  /** Makes the verb's result of an answer, or of a client without such a method. Throws errors of the domain. */
  readonly read: (answer: Answer | undefined) => Result
  /** Makes a result of a failure; `undefined` leaves it one. */
  readonly recover?: (error: VmcpError) => Result | undefined
}

/** Where a call is made, and how long it may take. */
export interface CallSite {
  readonly client: BackendClient
  /** The circuit breaker before the backend, if there is one. */
  readonly circuit: Circuit | undefined
  readonly clock: Clock.Clock
  /** Milliseconds without a sign of life of the backend. */
  readonly silenceMs: number
  /** Milliseconds in all. */
  readonly totalMs: number
}

/** Told once how a call ended. */
export interface CallObserver<Result> {
  succeeded(result: Result): void
  failed(error: unknown): void
}

/** A call that a verb has decided on, for whoever runs the verb to make. */
export interface DecidedCall<Result> {
  /** Makes the call, once. The observer hears how it ended, unless it was cancelled before. */
  start(observer: CallObserver<Result>): void
  /** Ends the call without telling the observer. What the backend's client does for it is cancelled. */
  cancel(): void
}

/** True for a call that is still to be made. */
export function isDecidedCall<Result>(value: Result | DecidedCall<Result>): value is DecidedCall<Result> {
  return value instanceof BackendCall
}

/**
 * One call of a backend, behind its circuit breaker and within its deadlines. A verb's fibre decides on it and ends; the
 * call itself waits in no fibre, since one that waits costs more than all the rest.
 * It fails with `BackendTimeout` when the backend has been silent for too long or has taken too long in all. A
 * notification counts as a sign of life, and while the client is asked on the backend's behalf, the backend is not silent.
 */
export class BackendCall<Answer, Result> implements DecidedCall<Result>, Awaited, ChannelWatch {
  place = -1
  readonly #errand: Errand<Answer, Result>
  readonly #site: CallSite
  readonly #options: CallOptions | undefined
  #observer: CallObserver<Result> | undefined
  readonly #cancellation = new Cancellation()
  #attempt: Attempt | undefined
  #started = 0
  #lastSign = 0
  #openQuestions = 0

  constructor(errand: Errand<Answer, Result>, site: CallSite, options: CallOptions | undefined) {
    this.#errand = errand
    this.#site = site
    this.#options = options
  }

  start(observer: CallObserver<Result>): void {
    const { circuit, clock, client } = this.#site
    const now = monotonicMs(clock)
    if (circuit !== undefined) {
      this.#attempt = circuit.admit(now)
      if (this.#attempt === undefined) {
        return observer.failed(new BackendUnavailable(this.#errand.backendId, 'circuit-open'))
      }
    }
    this.#observer = observer
    this.#started = this.#lastSign = now
    keeperOf(clock).keep(this, now)
    try {
      const asked = this.#errand.ask(client, this.#callOptions())
      if (asked === undefined) return this.#succeed(undefined)
      Promise.resolve(asked).then(this.#answered, this.#failed)
    } catch (error) {
      this.#failed(error)
    }
  }

  cancel(): void {
    if (this.#end('none') !== undefined) this.#cancellation.cancel()
  }

  due(now: number): number {
    const { silenceMs, totalMs } = this.#site
    return Math.min((this.#openQuestions > 0 ? now : this.#lastSign) + silenceMs, this.#started + totalMs)
  }

  expire(now: number): void {
    const { silenceMs, totalMs } = this.#site
    const allowed = now >= this.#started + totalMs ? totalMs : silenceMs
    this.#failed(new BackendTimeout(this.#errand.backendId, allowed))
    this.#cancellation.cancel()
  }

  signOfLife(): void {
    this.#lastSign = monotonicMs(this.#site.clock)
  }

  questionOpened(): void {
    this.#openQuestions += 1
  }

  questionClosed(): void {
    this.#openQuestions -= 1
    this.signOfLife()
  }

  #callOptions(): BackendCallOptions {
    const { client, forwardedHeaders } = this.#options ?? {}
    return new CancellableOptions(this.#cancellation, {
      client: client && new HeardClient(client, this),
      forwardedHeaders,
      parameterHeaders: this.#errand.parameterHeaders,
    })
  }

  readonly #answered = (answer: Answer): void => {
    try {
      // An answer may have getters that throw.
      if (!isUsable(answer, this.#errand.list)) throw new BackendUnavailable(this.#errand.backendId, 'protocol')
    } catch (error) {
      return this.#failed(error)
    }
    this.#succeed(answer)
  }

  readonly #failed = (error: unknown): void => {
    const failure = asVmcpError(this.#errand.backendId, error)
    const observer = this.#end(evidenceOf(failure))
    if (observer === undefined) return
    const recovered = this.#errand.recover?.(failure)
    if (recovered === undefined) observer.failed(failure)
    else observer.succeeded(recovered)
  }

  #succeed(answer: Answer | undefined): void {
    const observer = this.#end('answers')
    if (observer === undefined) return
    let result: Result
    try {
      result = this.#errand.read(answer)
    } catch (error) {
      return observer.failed(error)
    }
    observer.succeeded(result)
  }

  /** Whoever is still to be told, when the call was under way. */
  #end(evidence: Evidence): CallObserver<Result> | undefined {
    const observer = this.#observer
    if (observer === undefined) return undefined
    this.#observer = undefined
    const { circuit, clock } = this.#site
    keeperOf(clock).release(this)
    if (this.#attempt !== undefined) circuit?.settle(this.#attempt, evidence, monotonicMs(clock))
    return observer
  }
}

function isUsable(answer: unknown, list: Errand<unknown, unknown>['list']): boolean {
  return isJsonObject(answer) && (Array.isArray(answer[list]) || isInputRequired(answer))
}

/**
 * A client owes us errors of ours; whatever else it throws means that it gave no usable answer. When it cancels and nobody
 * here did, the connection has ended.
 */
function asVmcpError(backendId: string, error: unknown): VmcpError {
  if (!isVmcpError(error)) return new BackendUnavailable(backendId, 'protocol', { cause: error })
  return error._tag === 'Cancelled' ? new BackendUnavailable(backendId, 'closed', { cause: error }) : error
}
