import type { JsonObject } from '@vmcp/domain'
import type { ProbeVerdict } from './era.js'

/** What was found out of a backend's era, and when. */
export type RememberedEra = ({ readonly era: '2025' } | { readonly era: '2026'; readonly discover: JsonObject }) & {
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
    this.#verdicts.set(key, { ...verdict, at: this.#now() })
    const [oldest] = this.#verdicts.keys()
    if (this.#verdicts.size > maxVerdicts && oldest !== undefined) this.#verdicts.delete(oldest)
  }

  forget(key: string): void {
    this.#verdicts.delete(key)
  }
}
