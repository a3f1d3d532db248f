import type { Dispatcher } from 'undici'
import { WireFailure } from '../wire-failure.js'

/** What an `HttpLine` needs besides the sockets. */
export interface HttpLineOptions {
  readonly origin: string
  readonly connectTimeoutMs: number
  /** Calls that have a socket, or are getting one, at one time. */
  readonly maxConnections: number
  /** Calls that wait at one time; more are refused. */
  readonly maxWaiting: number
}

/** A call on a line. */
export interface LineCall {
  /** It has a place, and keeps it until it leaves the line. */
  send(): void
  /** It never gets a place. */
  stop(error: unknown): void
}

/**
 * Sockets of an origin for one purpose, and the calls that wait for them in order.
 * The sockets are never given more calls than there are of them, since they keep what they were given, with its body, until
 * one of them is free. A call that waits here can leave at once.
 */
export class HttpLine {
  readonly origin: string
  readonly connectTimeoutMs: number
  readonly dispatcher: Dispatcher
  readonly #maxConnections: number
  readonly #maxWaiting: number
  readonly #waiting: LineCall[] = []
  #places = 0

  constructor(dispatcher: Dispatcher, { origin, connectTimeoutMs, maxConnections, maxWaiting }: HttpLineOptions) {
    this.dispatcher = dispatcher
    this.origin = origin
    this.connectTimeoutMs = connectTimeoutMs
    this.#maxConnections = maxConnections
    this.#maxWaiting = maxWaiting
  }

  /** Sends the call, now or when it is its turn. False where too many wait already. */
  enter(call: LineCall): boolean {
    if (this.#places < this.#maxConnections) {
      this.#places += 1
      call.send()
      return true
    }
    if (this.#waiting.length >= this.#maxWaiting) return false
    this.#waiting.push(call)
    return true
  }

  /** A call that was sent is over, and its place goes to the next. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#places -= 1
    else next.send()
  }

  /** A call waits no longer. */
  withdraw(call: LineCall): void {
    const index = this.#waiting.indexOf(call)
    if (index !== -1) this.#waiting.splice(index, 1)
  }

  /** Ends the sockets, and the calls on them and before them. */
  async close(): Promise<void> {
    const closed = new WireFailure({ kind: 'closed', detail: 'the connection was closed' })
    for (const call of this.#waiting.splice(0)) call.stop(closed)
    await this.dispatcher.destroy()
  }
}
