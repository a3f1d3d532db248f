import type { Tool, Workflow } from '@vmcp/domain'

import type { View } from '../aggregator/view.js'
import { offeredComposites } from './offered-composites.js'
import type { Offer } from './offer.js'

/** What `view` advertises, together with those of `workflows` that it can run. */
export function makeOffer(view: View, workflows: readonly Workflow[]): Offer {
  const backendTools = [...view.tools.values()].filter(({ hidden }) => !hidden).map(({ item }) => item)
  const composites = offeredComposites(view, workflows)
  const tools = [...backendTools, ...composites.tools].sort(byName)
  return {
    view,
    tools: Object.freeze(tools),
    toolsByName: new Map(tools.map((tool) => [tool.name, tool])),
    resources: items(view.resources),
    templates: items(view.templates),
    prompts: items(view.prompts),
    workflows: composites.workflows,
    findings: composites.findings,
  }
}

function items<Item>(routed: ReadonlyMap<string, { readonly item: Item }>): readonly Item[] {
  return Object.freeze([...routed.values()].map(({ item }) => item))
}

function byName(left: Tool, right: Tool): number {
  return left.name < right.name ? -1 : 1
}
