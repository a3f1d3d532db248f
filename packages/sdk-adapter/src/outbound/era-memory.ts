import type { Era, ProbeVerdict } from './era.js'

/** What was found out of a backend's era, and when. */
export interface RememberedEra {
  readonly era: Era
  /** In milliseconds since 1970. */
  readonly at: number
}

const maxVerdicts = 1_000

/** The eras of one backend by credential. A verdict gets old, so that a wrong one corrects itself. */
export class EraMemory {
  readonly #verdicts = new Map<string, RememberedEra>()
  readonly #now: () => number
  readonly #maxAgeMs: number

  constructor(now: () => number, maxAgeMs = 5 * 60_000) {
    this.#now = now
    this.#maxAgeMs = maxAgeMs
  }

  recall(key: string): RememberedEra | undefined {
    const verdict = this.#verdicts.get(key)
    return verdict !== undefined && this.#now() - verdict.at < this.#maxAgeMs ? verdict : undefined
  }

  /** Remembers a verdict; one that is a matter of the moment is not remembered. */
  remember(key: string, verdict: ProbeVerdict): void {
    if (verdict.era === 'inconclusive') return
    this.#verdicts.delete(key)
    this.#verdicts.set(key, { era: verdict.era, at: this.#now() })
    const [oldest] = this.#verdicts.keys()
    if (this.#verdicts.size > maxVerdicts && oldest !== undefined) this.#verdicts.delete(oldest)
  }

  forget(key: string): void {
    this.#verdicts.delete(key)
  }
}
