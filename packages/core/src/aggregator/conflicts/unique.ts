import type { Finding, Prompt, Tool } from '@vmcp/domain'

import type { Claim, Placed } from '../claim.js'

/** What is left, and what was decided. */
export interface Kept<Entry> {
  readonly kept: readonly Entry[]
  readonly findings: readonly Finding[]
}

/** The claims without those whose backend listed the same own name before. */
export function dropRepeated<Item extends Tool | Prompt>(
  kind: 'tool' | 'prompt',
  claims: readonly Claim<Item>[],
): Kept<Claim<Item>> {
  const seen = new Set<string>()
  const findings: Finding[] = []
  const kept = claims.filter(({ backendId, ownName }) => {
    const key = JSON.stringify([backendId, ownName])
    if (!seen.has(key)) {
      seen.add(key)
      return true
    }
    findings.push({
      reason: 'lost-conflict',
      kind,
      subject: ownName,
      backendId,
      message: `backend ${backendId} lists ${kind} "${ownName}" more than once; the first counts`,
    })
    return false
  })
  return { kept, findings }
}

/**
 * One claim for each name. Whoever comes first in `placed` keeps it: a name that two claims arrive at never goes to a
 * claimant by chance.
 */
export function keepFirst<Item extends Tool | Prompt>(
  kind: 'tool' | 'prompt',
  placed: readonly Placed<Item>[],
): Kept<Placed<Item>> {
  const owners = new Map<string, Claim<Item>>()
  const findings: Finding[] = []
  const kept = placed.filter(({ claim, advertisedAs }) => {
    const owner = owners.get(advertisedAs)
    if (owner === undefined) {
      owners.set(advertisedAs, claim)
      return true
    }
    findings.push({
      reason: 'lost-conflict',
      kind,
      subject: claim.ownName,
      backendId: claim.backendId,
      message:
        `"${claim.ownName}" of backend ${claim.backendId} would be "${advertisedAs}" too; ` +
        `"${owner.ownName}" of backend ${owner.backendId} keeps the name`,
    })
    return false
  })
  return { kept, findings }
}

/** The entries by key, in order of first appearance. */
export function groupBy<Entry>(
  entries: readonly Entry[],
  key: (entry: Entry) => string,
): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const group = groups.get(key(entry))
    if (group === undefined) groups.set(key(entry), [entry])
    else group.push(entry)
  }
  return groups
}
