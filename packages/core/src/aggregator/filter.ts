import type { Finding } from '@vmcp/domain'

import type { AggregationConfig } from '../core-config.js'
import type { Claim } from './claim.js'

/** Why a tool is not advertised; `undefined` when it is. Hidden tools stay usable by workflows. */
export type Visibility = (claim: Claim) => string | undefined

/**
 * The visibility settings: `excludeAllTools`, then backends without an entry under `deny`, then `excludeAll`, then
 * `filter`, which matches the name before or after the override.
 */
export function createVisibility(aggregation: AggregationConfig): Visibility {
  const entries = new Map(
    (aggregation.tools ?? []).map((entry) => [
      entry.workload,
      { excludeAll: entry.excludeAll === true, filter: new Set(entry.filter ?? []) },
    ]),
  )
  return ({ backendId, ownName, name }) => {
    if (aggregation.excludeAllTools === true) return 'all backend tools are hidden (excludeAllTools)'
    const entry = entries.get(backendId)
    if (entry === undefined) {
      return aggregation.defaultToolVisibility === 'deny'
        ? `backend ${backendId} has no tools entry (defaultToolVisibility: deny)`
        : undefined
    }
    if (entry.excludeAll) return `all tools of backend ${backendId} are hidden (excludeAll)`
    if (entry.filter.size === 0 || entry.filter.has(name) || entry.filter.has(ownName)) return undefined
    return `the filter of backend ${backendId} does not name it`
  }
}

/** Settings for tools that name nothing, or that rely on a name from before its override. */
export function reviewToolSettings(
  aggregation: AggregationConfig,
  configuredIds: ReadonlySet<string>,
  claimsByBackend: ReadonlyMap<string, readonly Claim[]>,
): readonly Finding[] {
  const findings: Finding[] = []
  for (const { workload, filter = [], overrides = {} } of aggregation.tools ?? []) {
    if (!configuredIds.has(workload)) {
      findings.push(unused('backend', workload, `the tools entry names backend "${workload}", which does not exist`))
      continue
    }
    const claims = claimsByBackend.get(workload)
    if (claims === undefined) continue
    const names = new Set(claims.map((claim) => claim.name))
    const byOwnName = new Map(claims.map((claim) => [claim.ownName, claim]))
    for (const entry of new Set(filter)) {
      if (names.has(entry)) continue
      const claim = byOwnName.get(entry)
      findings.push(
        claim === undefined
          ? unused('tool', entry, `the filter names "${entry}", which backend ${workload} does not offer`, workload)
          : {
              reason: 'outdated-setting',
              kind: 'tool',
              subject: entry,
              backendId: workload,
              message: `the filter names "${entry}", which an override renames to "${claim.name}"; name that instead`,
            },
      )
    }
    for (const key of Object.keys(overrides)) {
      if (byOwnName.has(key)) continue
      findings.push(
        unused('tool', key, `an override is for "${key}", which backend ${workload} does not offer`, workload),
      )
    }
  }
  return findings
}

/** Priorities of backends that do not exist. */
export function reviewPriorityOrder(
  aggregation: AggregationConfig,
  configuredIds: ReadonlySet<string>,
): readonly Finding[] {
  const resolution = aggregation.conflictResolution
  if (resolution?.strategy !== 'priority') return []
  return resolution.priorityOrder
    .filter((id) => !configuredIds.has(id))
    .map((id) => unused('backend', id, `the priority order names backend "${id}", which does not exist`))
}

function unused(kind: 'backend' | 'tool', subject: string, message: string, backendId?: string): Finding {
  return {
    reason: 'unused-setting',
    kind,
    subject,
    message,
    ...(backendId === undefined ? {} : { backendId }),
  }
}
