import { Cancelled } from '@vmcp/domain'
import type { RequestId } from '../wire/json-rpc.js'

/** One call of a session. */
export interface SessionCall<Value> {
  readonly run: (signal: AbortSignal) => Promise<Value>
  /** Told first when the call is to stop, with the reason unless its client cancelled it. */
  readonly stopped: (reason: Cancelled | undefined) => void
}

interface RunningCall {
  readonly id: RequestId
  readonly stop: (reason?: Cancelled) => void
}

/** The calls of one session that run now, so that its client can cancel them. Two calls may bear one id. */
export class RunningCalls {
  readonly #calls = new Set<RunningCall>()

  /** How many run. */
  get count(): number {
    return this.#calls.size
  }

  /** Runs a call with a signal that `cancel` aborts. */
  async run<Value>(id: RequestId, { run, stopped }: SessionCall<Value>): Promise<Value> {
    const controller = new AbortController()
    const stop = (reason?: Cancelled) => {
      if (controller.signal.aborted) return
      stopped(reason)
      controller.abort(reason)
    }
    const running = { id, stop }
    this.#calls.add(running)
    try {
      return await run(controller.signal)
    } finally {
      this.#calls.delete(running)
    }
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
