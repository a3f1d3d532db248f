import type { UnresolvedConflict } from '@vmcp/domain'
import { CapabilityConflict } from '@vmcp/domain'

import type { Claim, Placed } from '../claim.js'
import type { Namer } from '../names/namer.js'
import { compareText } from '../order.js'
import { groupBy } from './unique.js'
import type { Kept } from './unique.js'

/**
 * The manual strategy: names must differ once the overrides are applied; nobody wins a name by itself.
 * Throws `CapabilityConflict` otherwise.
 */
export function placeManually(claims: readonly Claim[], namer: Namer): Kept<Placed> {
  const placed = claims.map((claim): Placed => ({ claim, ...namer.bare(claim, claim.name) }))
  const names = new Map(placed.map(({ claim, advertisedAs }) => [claim, advertisedAs]))
  const conflicts = conflictsIn(claims, (claim) => names.get(claim) ?? claim.name)
  const undecided = conflicts.filter(({ group }) => group.some((claim) => !claim.overridden))
  if (undecided.length > 0) throw unresolved(undecided)
  if (conflicts.length > 0) throw collided(conflicts)
  return { kept: placed, findings: [] }
}

interface Conflict {
  readonly name: string
  readonly group: readonly Claim[]
}

function conflictsIn(claims: readonly Claim[], nameOf: (claim: Claim) => string): readonly Conflict[] {
  return [...groupBy(claims, nameOf)]
    .map(([name, group]) => ({ name, group }))
    .filter(({ group }) => group.length > 1)
    .sort((left, right) => compareText(left.name, right.name))
}

function unresolved(conflicts: readonly Conflict[]): CapabilityConflict {
  const lines = conflicts.map(({ name, group }) => `  - ${name}: [${backendsOf(group).join(', ')}]`)
  return new CapabilityConflict(
    [
      'unresolved capability name conflicts: unresolved tool name conflicts detected:',
      ...lines,
      'Give each of these tools an override with a name of its own (aggregation.tools[].overrides).',
    ].join('\n'),
    conflicts.map(asUnresolved),
  )
}

function collided(conflicts: readonly Conflict[]): CapabilityConflict {
  const lines = conflicts.map(
    ({ name, group }) =>
      `collision after override: tool ${name} from backend ${backendsOf(group).join(' conflicts with tool from backend ')}`,
  )
  return new CapabilityConflict(lines.join('\n'), conflicts.map(asUnresolved))
}

function asUnresolved({ name, group }: Conflict): UnresolvedConflict {
  return { name, backendIds: backendsOf(group) }
}

function backendsOf(group: readonly Claim[]): readonly string[] {
  return group.map((claim) => claim.backendId)
}
