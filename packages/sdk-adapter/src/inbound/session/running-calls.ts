import { Cancelled } from '@vmcp/domain'
import type { RequestId } from '../wire/json-rpc.js'

/** One call of a session that runs. */
export interface RunningCall {
  readonly id: RequestId
  /** Where it is among the running calls; they keep it. */
  place: number
  /** Stops it once, with the reason unless its client cancelled it. */
  stop(reason?: Cancelled): void
}

/**
 * The calls of one session that run now, so that its client can cancel them. Two calls may bear one id.
 * They are in an array, where the last one takes the place of one that ends: a set is rebuilt every few calls, and what an
 * old one held would stay in memory with it.
 */
export class RunningCalls {
  readonly #calls: RunningCall[] = []

  /** How many run. */
  get count(): number {
    return this.#calls.length
  }

  add(call: RunningCall): void {
    call.place = this.#calls.push(call) - 1
  }

  /** Forgets a call that was added and has ended. */
  remove(call: RunningCall): void {
    if (this.#calls[call.place] !== call) return
    const last = this.#calls.pop()
    if (last !== undefined && last !== call) {
      last.place = call.place
      this.#calls[last.place] = last
    }
    call.place = -1
  }

  /** Cancels the calls of that id for their client. Unknown ids are ignored: the answer may be on its way. */
  cancel(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    for (const call of [...this.#calls]) if (call.id === id) call.stop()
  }

  /** Cancels everything, with a `Cancelled` as the reason. */
  close(): void {
    for (const call of [...this.#calls]) call.stop(new Cancelled('the session ended'))
  }
}
