import type { JsonObject } from '@vmcp/domain'

/** What a raw backend has asked its client and waits for. */
export class PendingQuestions {
  readonly #waiting = new Map<unknown, (answer: JsonObject) => void>()
  #asked = 0

  /** Sends a question under a new id; resolves with the whole JSON-RPC answer. */
  ask(send: (id: string) => void): Promise<JsonObject> {
    const id = `question-${(this.#asked += 1)}`
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      send(id)
    })
  }

  /** True when a message was the answer to one of them. */
  take(message: JsonObject): boolean {
    const resolve = message['method'] === undefined ? this.#waiting.get(message['id']) : undefined
    if (resolve === undefined) return false
    this.#waiting.delete(message['id'])
    resolve(message)
    return true
  }
}
