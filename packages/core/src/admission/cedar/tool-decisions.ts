import type { ToolAnnotations } from '@vmcp/domain'

import { LruMap } from '../../aggregator/lru-map.js'
import type { Decision, Question } from '../question.js'
import type { Principal } from './principal.js'

/** How many tools are remembered for each principal. Names come from callers, so there must be a limit. */
const capacity = 1024

/**
 * Decisions about tools where no policy looks at arguments: they depend on the principal, the name and the annotations,
 * and are found again without putting the question into words.
 */
export interface ToolDecisions {
  /** The decision made before, or what `decide` answers. */
  readonly get: (principal: Principal, question: ToolQuestion, decide: () => Decision) => Decision
}

/** A question about a tool. */
export type ToolQuestion = Extract<Question, { readonly kind: 'tool' }>

/** Remembers nothing yet. */
export function toolDecisions(): ToolDecisions {
  const known = new WeakMap<Principal, LruMap<string, Made>>()
  return {
    get: (principal, { name, annotations }, decide) => {
      const tools = known.get(principal) ?? new LruMap<string, Made>(capacity)
      const made = tools.get(name)
      if (made !== undefined && made.annotations === annotations) return made.decision
      const decision = decide()
      tools.set(name, { annotations, decision })
      known.set(principal, tools)
      return decision
    },
  }
}

interface Made {
  readonly annotations: ToolAnnotations | undefined
  readonly decision: Decision
}
