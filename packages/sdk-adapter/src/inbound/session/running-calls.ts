import { Cancelled } from '@vmcp/domain'
import type { RequestId } from '../wire/json-rpc.js'

/** The calls of one session that run now, so that its client can cancel them. Two calls may bear one id. */
export class RunningCalls {
  readonly #calls = new Map<RequestId, Set<AbortController>>()
  #count = 0

  /** How many run. */
  get count(): number {
    return this.#count
  }

  /** Runs a call with a signal that `cancel` aborts. */
  async run<Value>(id: RequestId, call: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const controller = new AbortController()
    const same = this.#calls.get(id) ?? new Set()
    this.#calls.set(id, same.add(controller))
    this.#count += 1
    try {
      return await call(controller.signal)
    } finally {
      this.#count -= 1
      same.delete(controller)
      if (same.size === 0) this.#calls.delete(id)
    }
  }

  /** Cancels the calls of that id for their client. Unknown ids are ignored: the answer may be on its way. */
  cancel(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    for (const controller of this.#calls.get(id) ?? []) controller.abort()
  }

  /** Cancels everything, with a `Cancelled` as the reason. */
  close(): void {
    for (const controller of [...this.#calls.values()].flatMap((same) => [...same])) {
      controller.abort(new Cancelled('the session ended'))
    }
  }
}
