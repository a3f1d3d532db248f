import type { ClientChannel, InputRequest, InputRequired, InputResponses, JsonObject } from '@vmcp/domain'
import { Cancelled } from '@vmcp/domain'

interface Asked {
  readonly request: InputRequest
  readonly resolve: (answer: JsonObject) => void
  readonly reject: (error: unknown) => void
}

/** How one round of a held call ended. */
export type RoundEnd<Answer> =
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'asked'; readonly inputRequests: NonNullable<InputRequired['inputRequests']> }

/**
 * A call of a 2025 backend that stays open while its client of 2026 answers: the backend asks during the call, the client
 * answers by calling again.
 */
export class HeldCall<Answer> {
  /** The client's channel in the round that runs. */
  client: ClientChannel
  readonly #ending = new AbortController()
  readonly #asked = new Map<string, Asked>()
  #answer: Promise<Answer> | undefined
  #wake = () => {}
  #count = 0

  constructor(client: ClientChannel) {
    this.client = client
  }

  /** Aborts when the call is given up. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Starts the call. */
  start(call: () => Promise<Answer>): void {
    this.#answer = call()
    this.#answer.catch(() => {})
  }

  /** Takes a question of the backend; resolves with the client's answer, in this round or in a later one. */
  ask(request: InputRequest, signal: AbortSignal): Promise<JsonObject> {
    this.#count += 1
    const key = `question_${this.#count}`
    return new Promise<JsonObject>((resolve, reject) => {
      this.#asked.set(key, { request: asReturned(request), resolve, reject })
      signal.addEventListener('abort', () => reject(new Cancelled()), { once: true })
      this.#wake()
    }).finally(() => this.#asked.delete(key))
  }

  /** Gives the backend the answers of a new round. Questions without one stay open and are asked again. */
  resume(client: ClientChannel, responses: InputResponses): void {
    this.client = client
    for (const [key, answer] of Object.entries(responses)) {
      this.#asked.get(key)?.resolve(answer)
      this.#asked.delete(key)
    }
  }

  /** Waits for the answer or for a question. When the round's signal aborts, the whole call is given up. */
  async round(signal: AbortSignal | undefined): Promise<RoundEnd<Answer>> {
    const onAbort = () => this.end()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) this.end()
    try {
      if (this.#answer === undefined) throw new Cancelled()
      const question = new Promise<undefined>((resolve) => {
        this.#wake = () => resolve(undefined)
        if (this.#asked.size > 0) resolve(undefined)
      })
      const answered = this.#answer.then((answer) => ({ outcome: 'answered' as const, answer }))
      return (await Promise.race([answered, question])) ?? { outcome: 'asked', inputRequests: this.#questions() }
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Gives the call up, at the backend too. */
  end(): void {
    this.#ending.abort()
    for (const { reject } of this.#asked.values()) reject(new Cancelled())
  }

  #questions(): Record<string, InputRequest> {
    return Object.fromEntries([...this.#asked].map(([key, { request }]) => [key, request]))
  }
}

/** A question as 2026 has it: its id and its metadata belong to the session that asked. */
function asReturned({ method, params }: InputRequest): InputRequest {
  if (params === undefined) return { method }
  const { elicitationId: _elicitationId, _meta, ...kept } = params
  return { method, params: kept }
}
