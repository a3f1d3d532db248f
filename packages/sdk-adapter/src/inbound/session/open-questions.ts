import type { JsonObject } from '@vmcp/domain'
import { Cancelled } from '@vmcp/domain'
import { stringifyMessage } from '../../json/exact-json.js'
import { ClientRejected } from '../client-rejected.js'
import type { ResponseMessage } from '../wire/json-rpc.js'
import { notificationText } from '../wire/json-rpc.js'

interface Pending {
  resolve(result: JsonObject): void
  reject(error: Error): void
}

/** The requests of ours that one session's client has not answered yet. Ids are our own and never used twice. */
export class OpenQuestions {
  readonly #pending = new Map<string, Pending>()
  #count = 0

  /**
   * Sends a request with `send` and resolves with the client's result. Rejects with `Cancelled` when the signal aborts
   * (the client is told), when the client is gone or the session ends, and with `ClientRejected` for an error answer.
   */
  async ask(
    send: (text: string) => boolean,
    request: { readonly method: string; readonly params: JsonObject },
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    if (signal?.aborted === true) throw new Cancelled()
    this.#count += 1
    const id = `vmcp-${this.#count}`
    const withdraw = () => {
      send(notificationText('notifications/cancelled', { requestId: id, reason: 'the call ended' }))
      this.#pending.get(id)?.reject(new Cancelled())
    }
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject })
        signal?.addEventListener('abort', withdraw, { once: true })
        const sent = send(stringifyMessage({ jsonrpc: '2.0', id, ...request }))
        if (!sent) reject(new Cancelled('the client is gone'))
      })
    } finally {
      signal?.removeEventListener('abort', withdraw)
      this.#pending.delete(id)
    }
  }

  /** Gives an answer to whoever waits for it. An answer nobody waits for is ignored. */
  answer({ id, outcome }: ResponseMessage): void {
    const pending = this.#pending.get(String(id))
    if (pending === undefined) return
    if ('result' in outcome) pending.resolve(outcome.result)
    else pending.reject(new ClientRejected(outcome.error))
  }

  /** Rejects everything that is still open. */
  close(): void {
    for (const { reject } of this.#pending.values()) reject(new Cancelled('the session ended'))
  }
}
