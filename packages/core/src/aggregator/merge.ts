import type { Finding, Prompt, Tool } from '@vmcp/domain'

import type { AggregationConfig, BackendToolConfig } from '../core-config.js'
import type { Claim, Placed } from './claim.js'
import { createConflictStrategy } from './conflicts/conflict-strategy.js'
import type { ConflictStrategy } from './conflicts/conflict-strategy.js'
import { placePrompts } from './conflicts/prompts.js'
import { placeByUri } from './conflicts/resources.js'
import { dropRepeated } from './conflicts/unique.js'
import { createVisibility, reviewPriorityOrder, reviewToolSettings } from './filter.js'
import type { Visibility } from './filter.js'
import {
  findHidden,
  findRepairedName,
  findRepairedWorkloads,
  findUnreadableTemplates,
  sortFindings,
} from './merge-findings.js'
import { createNamer } from './names/namer.js'
import type { Namer } from './names/namer.js'
import type { Offer } from './offer.js'
import { compareText, sortedByKey } from './order.js'
import { applyOverrides } from './overrides.js'
import { checkTools } from './schemas/check-tools.js'
import type { Routed, RoutedTool, View } from './view.js'

/** What a view is merged from. */
export interface Offers {
  /** Of the backends that answered, in any order. */
  readonly offers: readonly Offer[]
  /** How many were asked, those that failed included. */
  readonly askedCount: number
  /** What was found before the merge, such as backends that failed. */
  readonly findings: readonly Finding[]
}

/** Makes one view of many offers. The same offers give the same view, in whichever order they came. */
export type Merge = (offers: Offers) => View

/** The rules of one configuration. The merge throws `CapabilityConflict` when the manual strategy lacks a decision. */
export function createMerge(aggregation: AggregationConfig, configuredIds: ReadonlySet<string>): Merge {
  const resolution = aggregation.conflictResolution ?? { strategy: 'prefix' }
  const namer = createNamer(aggregation.names, resolution.prefixFormat)
  const rules: Rules = {
    aggregation,
    configuredIds,
    namer,
    strategy: createConflictStrategy(resolution, namer),
    priorityOrder: resolution.strategy === 'priority' ? resolution.priorityOrder : [],
    visibility: createVisibility(aggregation),
    toolConfigs: new Map((aggregation.tools ?? []).map((entry) => [entry.workload, entry])),
  }
  const settingsFindings = reviewPriorityOrder(aggregation, configuredIds)
  return ({ offers, askedCount, findings }) => {
    const sorted = [...offers].sort((left, right) => compareText(left.backendId, right.backendId))
    const tools = mergeTools(sorted, rules)
    const prompts = mergePrompts(sorted, rules)
    const resources = placeByUri('resource', offered(sorted, 'resources'), (item) => item.uri)
    const templates = placeByUri('template', offered(sorted, 'templates'), (item) => item.uriTemplate)
    return {
      tools: tools.routed,
      resources: resources.routed,
      templates: templates.routed,
      prompts: prompts.routed,
      instructions: new Map(
        sorted.flatMap(({ backendId, instructions }) => (instructions ? [[backendId, instructions] as const] : [])),
      ),
      report: {
        counts: {
          backends: askedCount,
          tools: [...tools.routed.values()].filter((tool) => !tool.hidden).length,
          resources: resources.routed.size,
          templates: templates.routed.size,
          prompts: prompts.routed.size,
        },
        strategy: resolution.strategy,
        findings: sortFindings([
          ...settingsFindings,
          ...findings,
          ...sorted.flatMap((offer) => offer.findings),
          ...findRepairedWorkloads([...tools.placed, ...prompts.placed], namer),
          ...tools.findings,
          ...prompts.findings,
          ...resources.findings,
          ...templates.findings,
          ...findUnreadableTemplates(templates.routed),
        ]),
      },
    }
  }
}

interface Rules {
  readonly aggregation: AggregationConfig
  readonly configuredIds: ReadonlySet<string>
  readonly namer: Namer
  readonly strategy: ConflictStrategy
  readonly priorityOrder: readonly string[]
  readonly visibility: Visibility
  readonly toolConfigs: ReadonlyMap<string, BackendToolConfig>
}

function mergeTools(offers: readonly Offer[], rules: Rules) {
  const findings: Finding[] = []
  const keep = <Entry>(result: { readonly kept: readonly Entry[]; readonly findings: readonly Finding[] }) => {
    for (const finding of result.findings) findings.push(finding)
    return result.kept
  }
  const overridden = offers.map((offer) => {
    const applied = applyOverrides(offer.backendId, offer.tools, rules.toolConfigs.get(offer.backendId))
    return keep({ kept: applied.claims, findings: applied.findings })
  })
  const known = offers.flatMap((offer, index) =>
    offer.toolsKnown ? [[offer.backendId, overridden[index] ?? []] as const] : [],
  )
  findings.push(...reviewToolSettings(rules.aggregation, rules.configuredIds, new Map(known)))
  const usable = keep(checkTools(overridden.flat(), rules.aggregation.invalidSchemas ?? 'drop'))
  const placed = keep(rules.strategy(keep(dropRepeated('tool', usable))))

  const routed = new Map<string, RoutedTool>()
  for (const place of placed) {
    const hiddenBecause = rules.visibility(place.claim)
    routed.set(place.advertisedAs, { ...route(place), hidden: hiddenBecause !== undefined })
    findings.push(...findRepairedName('tool', place))
    if (hiddenBecause !== undefined) findings.push(findHidden(place, hiddenBecause))
  }
  return { routed: sortedByKey(routed), placed, findings }
}

function mergePrompts(offers: readonly Offer[], rules: Rules) {
  const claims = offers.flatMap(({ backendId, prompts }) =>
    prompts.map((item): Claim<Prompt> => ({ backendId, ownName: item.name, name: item.name, overridden: false, item })),
  )
  const { kept, findings } = placePrompts(claims, rules.priorityOrder, rules.namer)
  const routed = new Map(kept.map((place) => [place.advertisedAs, route(place)]))
  return {
    routed: sortedByKey(routed),
    placed: kept,
    findings: [...findings, ...kept.flatMap((place) => findRepairedName('prompt', place))],
  }
}

/** The item under its advertised name; a name that had to be repaired stays readable as the title. */
function route<Item extends Tool | Prompt>({ claim, advertisedAs, repaired }: Placed<Item>): Routed<Item> {
  const { item, backendId, ownName, name } = claim
  const title = repaired && !hasTitle(item) ? { title: name } : {}
  return { item: { ...item, ...title, name: advertisedAs, backendId }, route: { backendId, name: ownName } }
}

function hasTitle(item: Tool | Prompt): boolean {
  const annotations = item['annotations'] as { readonly title?: unknown } | undefined
  return Boolean(item.title) || Boolean(annotations?.title)
}

function offered<Kind extends 'resources' | 'templates'>(offers: readonly Offer[], kind: Kind) {
  return offers.flatMap((offer) =>
    offer[kind].map((item) => ({ backendId: offer.backendId, item: item as Offer[Kind][number] })),
  )
}
