import type { Decision } from './question.js'

/** How many decisions are kept. */
const capacity = 8192
/** Longer keys are not worth their memory: they hold arguments that seldom come twice. */
const longestKey = 2048

/** Decisions that were made already. */
export interface DecisionCache {
  /** The decision kept for `key`, or what `decide` answers. */
  readonly get: (key: string, decide: () => Decision) => Decision
}

/**
 * A bounded cache of decisions, the least recently used leave first.
 * Keys are compared whole, never by hash, so two questions cannot share an answer. A policy set never changes within a
 * core, so nothing else expires.
 */
export function decisionCache(limit = capacity): DecisionCache {
  const decisions = new Map<string, Decision>()
  return {
    get(key, decide) {
      const known = decisions.get(key)
      if (known !== undefined) {
        decisions.delete(key)
        decisions.set(key, known)
        return known
      }
      const decision = decide()
      if (key.length > longestKey) return decision
      decisions.set(key, decision)
      if (decisions.size > limit) for (const oldest of decisions.keys()) return (decisions.delete(oldest), decision)
      return decision
    },
  }
}
