import { randomUUID } from 'node:crypto'

import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'

import type { Cedar } from './engine-module.js'
import type { NamedPolicy } from './policies.js'

/** Other copies of this module may use the same engine: their slots have other names. */
const copy = randomUUID()
const freeSlots: string[] = []
let slots = 0

/**
 * Hands the policies to the engine, which keeps them parsed, and answers the name it knows them by.
 * The engine's store is global and forgets nothing, so names are reused: it holds as many sets as there are open scopes.
 */
export function preparsed(cedar: Cedar, policies: readonly NamedPolicy[]): Effect.Effect<string, never, Scope.Scope> {
  const staticPolicies = Object.fromEntries(policies.map((policy) => [policy.id, policy.text]))
  return Effect.acquireRelease(
    Effect.sync(() => {
      const slot = freeSlots.pop() ?? `vmcp-${copy}-${slots++}`
      const answer = cedar.preparsePolicySet(slot, { staticPolicies })
      if (answer.type === 'failure') throw new Error('Cedar refused policies that it had parsed before')
      return slot
    }),
    (slot) =>
      Effect.sync(() => {
        cedar.preparsePolicySet(slot, { staticPolicies: {} })
        freeSlots.push(slot)
      }),
  )
}
