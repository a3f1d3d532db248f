import { LruMap } from '../aggregator/lru-map.js'
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
 * A bounded cache of decisions: the least recently used leave first.
 * Keys are compared whole, never by hash, so two questions cannot share an answer. A policy set never changes within a
 * core, so nothing else expires.
 */
export function decisionCache(limit = capacity): DecisionCache {
  const decisions = new LruMap<string, Decision>(limit)
  return {
    get(key, decide) {
      const known = decisions.get(key)
      if (known !== undefined) return known
      const decision = decide()
      if (key.length <= longestKey) decisions.set(key, decision)
      return decision
    },
  }
}
