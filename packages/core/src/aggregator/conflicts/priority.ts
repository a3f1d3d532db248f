import type { Finding } from '@vmcp/domain'

import type { Claim, Placed } from '../claim.js'
import type { Namer } from '../names/namer.js'
import { groupBy, keepFirst } from './unique.js'
import type { Kept } from './unique.js'

/**
 * The priority strategy. A name with one claimant stays bare. Of several, the best-ranked keeps it and the others are
 * dropped; when none of them is ranked, all are kept under their prefixes. A name that results from a prefix and meets
 * another goes to the better-ranked backend, then to the first by id.
 */
export function placeByPriority(claims: readonly Claim[], order: readonly string[], namer: Namer): Kept<Placed> {
  const rankOf = rankBy(order)
  const findings: Finding[] = []
  const placed: Placed[] = []
  for (const [name, group] of groupBy(claims, (claim) => claim.name)) {
    const [first, ...others] = [...group].sort((left, right) => rankOf(left.backendId) - rankOf(right.backendId))
    if (first === undefined) continue
    const isContested = others.some((other) => other.backendId !== first.backendId)
    if (!isContested || rankOf(first.backendId) < unranked) {
      placed.push({ claim: first, ...namer.bare(first, name) })
      findings.push(...others.map((loser) => lost(loser, first)))
    } else {
      for (const claim of group) {
        const given = namer.prefixed(claim, name)
        placed.push({ claim, ...given })
        findings.push(prefixed(claim, given.advertisedAs))
      }
    }
  }
  const position = new Map(claims.map((claim, index) => [claim, index]))
  const ordered = placed.sort(
    (left, right) =>
      rankOf(left.claim.backendId) - rankOf(right.claim.backendId) ||
      (position.get(left.claim) ?? 0) - (position.get(right.claim) ?? 0),
  )
  const unique = keepFirst('tool', ordered)
  return { kept: unique.kept, findings: [...findings, ...unique.findings] }
}

/** Where a backend without a priority stands. A number and no infinity: ranks are subtracted. */
export const unranked = Number.MAX_SAFE_INTEGER

/** The place of a backend in the order, its first one when it is repeated. */
export function rankBy(order: readonly string[]): (backendId: string) => number {
  const ranks = new Map(order.map((id, index) => [id, index] as const).reverse())
  return (backendId) => ranks.get(backendId) ?? unranked
}

function lost(loser: Claim, winner: Claim): Finding {
  return {
    reason: 'lost-conflict',
    kind: 'tool',
    subject: loser.ownName,
    backendId: loser.backendId,
    message:
      winner.backendId === loser.backendId
        ? `"${winner.ownName}" of the same backend is called "${loser.name}" too and comes first`
        : `backend ${winner.backendId} has priority for the name "${loser.name}"`,
  }
}

function prefixed(claim: Claim, advertisedAs: string): Finding {
  return {
    reason: 'renamed',
    kind: 'tool',
    subject: claim.ownName,
    backendId: claim.backendId,
    advertisedAs,
    message: `several backends without a priority offer "${claim.name}"; each gets its prefix`,
  }
}
