import type { AskableClient } from './backend-requests.js'

/** Milliseconds that a backend may ask for the folders after it heard that they changed. */
const askingMs = 10_000
/** Milliseconds for the backend to take the news. */
const tellingMs = 5_000

/**
 * Tells one backend session that the folders of its client have changed, and names the client that the backend may ask for
 * them then, since such a question belongs to no call. News that come while some are under way are told once.
 */
export class RootsNews {
  readonly #send: (signal: AbortSignal) => Promise<void>
  #client: AskableClient | undefined
  #forgetting: NodeJS.Timeout | undefined
  #isTelling = false
  #hasNews = false

  /** `send` sends the notification; when it rejects, the backend did not hear of it. */
  constructor(send: (signal: AbortSignal) => Promise<void>) {
    this.#send = send
  }

  /** Whom the backend may ask for folders now. */
  get client(): AskableClient | undefined {
    return this.#client
  }

  tell(client: AskableClient): void {
    this.#client = client
    clearTimeout(this.#forgetting)
    this.#forgetting = setTimeout(() => (this.#client = undefined), askingMs).unref()
    this.#hasNews = true
    if (!this.#isTelling) void this.#tellAll()
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true
    while (this.#hasNews) {
      this.#hasNews = false
      await this.#send(AbortSignal.timeout(tellingMs)).catch(() => {})
    }
    this.#isTelling = false
  }
}
