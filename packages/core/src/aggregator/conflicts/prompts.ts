import type { Finding, Prompt } from '@vmcp/domain'

import type { Claim, Placed } from '../claim.js'
import type { Namer } from '../names/namer.js'
import { rankBy, unranked } from './priority.js'
import { dropRepeated, groupBy } from './unique.js'
import type { Kept } from './unique.js'

/**
 * Gives every prompt its name: prefixed, or bare for backends in the priority order. Of ranked claimants of a name the
 * best keeps it. When one of several is not ranked, none gets it: prompts are authorised by name alone, so nobody may
 * win one by accident.
 */
export function placePrompts(
  claims: readonly Claim<Prompt>[],
  priorityOrder: readonly string[],
  namer: Namer,
): Kept<Placed<Prompt>> {
  const rankOf = rankBy(priorityOrder)
  const repeated = dropRepeated('prompt', claims)
  const placed = repeated.kept.map((claim): Placed<Prompt> => {
    const isRanked = rankOf(claim.backendId) < unranked
    return { claim, ...(isRanked ? namer.bare(claim, claim.name) : namer.prefixed(claim, claim.name)) }
  })
  const findings = [...repeated.findings]
  const kept: Placed<Prompt>[] = []
  for (const [name, group] of groupBy(placed, (one) => one.advertisedAs)) {
    const byRank = [...group].sort((left, right) => rankOf(left.claim.backendId) - rankOf(right.claim.backendId))
    const [best, ...losers] = byRank
    if (best === undefined) continue
    const isAmbiguous = losers.some(({ claim }) => rankOf(claim.backendId) === unranked)
    if (!isAmbiguous) kept.push(best)
    for (const { claim } of isAmbiguous ? byRank : losers) {
      findings.push(
        lost(
          claim,
          isAmbiguous
            ? `several backends arrive at the prompt name "${name}" (${backendsOf(byRank)}); none is served`
            : `backend ${best.claim.backendId} has priority for the prompt name "${name}"`,
        ),
      )
    }
  }
  return { kept, findings }
}

function lost(claim: Claim<Prompt>, message: string): Finding {
  return { reason: 'lost-conflict', kind: 'prompt', subject: claim.ownName, backendId: claim.backendId, message }
}

function backendsOf(placed: readonly Placed<Prompt>[]): string {
  return placed.map(({ claim }) => claim.backendId).join(', ')
}
