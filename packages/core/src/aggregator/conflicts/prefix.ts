import type { Claim, Placed } from '../claim.js'
import type { Namer } from '../names/namer.js'
import { keepFirst } from './unique.js'
import type { Kept } from './unique.js'

/** The prefix strategy: every tool gets the prefix of its backend, whether its name conflicts or not. */
export function placeWithPrefix(claims: readonly Claim[], namer: Namer): Kept<Placed> {
  return keepFirst(
    'tool',
    claims.map((claim) => ({ claim, ...namer.prefixed(claim, claim.name) })),
  )
}
