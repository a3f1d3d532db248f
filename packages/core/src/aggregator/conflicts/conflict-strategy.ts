import type { ConflictResolution } from '../../core-config.js'
import type { Claim, Placed } from '../claim.js'
import type { Namer } from '../names/namer.js'
import { placeManually } from './manual.js'
import { placeWithPrefix } from './prefix.js'
import { placeByPriority } from './priority.js'
import type { Kept } from './unique.js'

/**
 * Gives every tool its advertised name. Takes claims by backend id, then list order, each own name once per backend;
 * answers names that are unique. Throws `CapabilityConflict` when the manual strategy lacks a decision.
 */
export type ConflictStrategy = (claims: readonly Claim[]) => Kept<Placed>

/** The strategy that the configuration names. */
export function createConflictStrategy(resolution: ConflictResolution, namer: Namer): ConflictStrategy {
  switch (resolution.strategy) {
    case 'prefix':
      return (claims) => placeWithPrefix(claims, namer)
    case 'priority':
      return (claims) => placeByPriority(claims, resolution.priorityOrder, namer)
    case 'manual':
      return (claims) => placeManually(claims, namer)
  }
}
