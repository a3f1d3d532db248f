/** When a backend that keeps failing to start, or to live, may be started again. */
export class Backoff {
  readonly #now: () => number
  #failures = 0
  #lastFailure: unknown
  #notBefore = 0
  #startedAt = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** The failure to report instead of a new start, while it is too early for one. */
  get standing(): { readonly error: unknown } | undefined {
    return this.#now() < this.#notBefore ? { error: this.#lastFailure } : undefined
  }

  started(): void {
    this.#startedAt = this.#now()
  }

  /** The first failure costs nothing; each further one doubles the wait, from 1 to 30 seconds. */
  failed(error: unknown): void {
    const livedLong = this.#startedAt > 0 && this.#now() - this.#startedAt > steadyMs
    this.#failures = livedLong ? 1 : this.#failures + 1
    this.#lastFailure = error
    this.#startedAt = 0
    const wait = this.#failures === 1 ? 0 : Math.min(firstWaitMs * 2 ** (this.#failures - 2), maxWaitMs)
    this.#notBefore = this.#now() + wait
  }
}

const steadyMs = 60_000
const firstWaitMs = 1_000
const maxWaitMs = 30_000
