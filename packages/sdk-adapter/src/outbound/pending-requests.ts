import type { CancelListener } from '@vmcp/domain'
import { isCancelled, offCancel, onCancel } from '@vmcp/domain'
import type { ExchangeOptions } from './carrier.js'
import type { RpcAnswer, RpcIncoming, RpcRequest } from './json-rpc.js'
import { WireFailure } from './wire-failure.js'

/** One request that waits for its answer. */
export interface PendingRequest {
  readonly options: ExchangeOptions
  resolve(answer: RpcAnswer): void
  reject(error: unknown): void
}

/** What a channel does for one request. */
export interface PendingSteps {
  send(): void | Promise<void>
  /** Tells the other side that the request is given up. */
  cancel(): void
}

/** The requests of a channel on which answers come in any order. */
export class PendingRequests {
  readonly #pending = new Map<string, PendingRequest>()

  /** Sends a request and waits for its answer, until the request is given up. */
  async wait(request: RpcRequest, options: ExchangeOptions, { send, cancel }: PendingSteps): Promise<RpcAnswer> {
    const key = String(request.id)
    if (isCancelled(options.call)) throw new WireFailure({ kind: 'cancelled' })
    let listener: CancelListener | undefined
    try {
      return await new Promise<RpcAnswer>((resolve, reject) => {
        const giveUp = () => {
          if (options.isCancelledSilently !== true) cancel()
          reject(new WireFailure({ kind: 'cancelled' }))
        }
        listener = { handleEvent: giveUp }
        onCancel(options.call, listener)
        this.#pending.set(key, { options, resolve, reject })
        Promise.resolve(send()).catch(reject)
      })
    } finally {
      if (listener !== undefined) offCancel(options.call, listener)
      this.#pending.delete(key)
    }
  }

  /** Those that wait now. */
  get all(): readonly PendingRequest[] {
    return [...this.#pending.values()]
  }

  get(id: unknown): PendingRequest | undefined {
    return this.#pending.get(String(id))
  }

  /** Progress names its request by our token; nothing else on a shared channel does. False for anything else. */
  takeProgress(incoming: RpcIncoming): boolean {
    if (incoming.method !== 'notifications/progress') return false
    this.get(incoming.params['progressToken'])?.options.onNotification?.(incoming)
    return true
  }

  rejectAll(error: unknown): void {
    for (const pending of this.all) pending.reject(error)
  }
}
