import type { CapabilityKind, Finding, FindingReason } from '@vmcp/domain'

import type { Route } from '../aggregator/view.js'
import type { Offer } from '../composites/offer.js'
import { matchResource } from '../router/match-resource.js'
import { resolveToolReference } from '../router/resolve-tool-reference.js'
import { routeTool } from '../router/route-tool.js'

/** What a name turned out to be. */
export type Located =
  | { readonly type: 'advertised'; readonly route: Route; readonly name: string }
  /** A URI that is not listed itself, but that a listed template matches. */
  | { readonly type: 'matched'; readonly route: Route }
  | { readonly type: 'hidden'; readonly route: Route; readonly name: string }
  | { readonly type: 'composite'; readonly name: string }
  | { readonly type: 'dropped-composite'; readonly message: string }
  /** A backend's own name, or a reference of a workflow, for something that is advertised under other names. */
  | { readonly type: 'renamed'; readonly route: Route; readonly names: readonly string[] }
  /** A backend offers it, but it did not become part of the view. */
  | { readonly type: 'left-out'; readonly finding: Finding & { readonly backendId: string } }
  | { readonly type: 'unknown' }

/** What `name` is in this offer. */
export function locate(offer: Offer, kind: CapabilityKind, name: string): Located {
  const found = kind === 'tool' ? locateTool(offer, name) : locateOther(offer, kind, name)
  return found ?? locateLeftOut(offer, kind, name) ?? { type: 'unknown' }
}

function locateTool({ view, workflows, findings }: Offer, name: string): Located | undefined {
  const advertised = routeTool(view, name)
  if (advertised !== undefined) return { type: 'advertised', route: advertised.route, name }
  if (workflows.has(name)) return { type: 'composite', name }
  const dropped = findings.find(({ subject }) => subject === name)
  if (dropped !== undefined) return { type: 'dropped-composite', message: dropped.message }
  const hidden = view.tools.get(name)
  if (hidden !== undefined) return { type: 'hidden', route: hidden.route, name }
  const referred = resolveToolReference(view, name)
  if (referred !== undefined) return { type: 'renamed', route: referred.route, names: [referred.item.name] }
  return locateOwnName([...view.tools.values()], name)
}

function locateOther({ view }: Offer, kind: 'resource' | 'prompt', name: string): Located | undefined {
  if (kind === 'prompt') {
    const prompt = view.prompts.get(name)
    if (prompt !== undefined) return { type: 'advertised', route: prompt.route, name }
    return locateOwnName([...view.prompts.values()], name)
  }
  const route = matchResource(view, name)
  if (route === undefined) return undefined
  const listed = view.resources.has(name) || view.templates.has(name)
  return listed ? { type: 'advertised', route, name } : { type: 'matched', route }
}

function locateOwnName(
  routed: readonly { readonly item: { readonly name: string }; readonly route: Route }[],
  name: string,
): Located | undefined {
  const [first, ...others] = routed.filter(({ route }) => meansOwn(name, route))
  if (first === undefined) return undefined
  return { type: 'renamed', route: first.route, names: [first, ...others].map(({ item }) => item.name) }
}

const leavesOut: ReadonlySet<FindingReason> = new Set(['lost-conflict', 'invalid-schema', 'unsupported'])

function locateLeftOut({ view }: Offer, kind: CapabilityKind, name: string): Located | undefined {
  const finding = view.report.findings.find(
    (found) =>
      leavesOut.has(found.reason) &&
      (found.kind === kind || (found.kind === 'template' && kind === 'resource')) &&
      found.backendId !== undefined &&
      meansOwn(name, { backendId: found.backendId, name: found.subject }),
  )
  return finding?.backendId === undefined
    ? undefined
    : { type: 'left-out', finding: { ...finding, backendId: finding.backendId } }
}

/** True for a backend's own name, alone or behind the backend's id and something between: `b.x`, `b_x`. */
function meansOwn(name: string, own: Route): boolean {
  if (name === own.name) return true
  const between = name.length - own.backendId.length - own.name.length
  return between >= 0 && between <= 3 && name.startsWith(own.backendId) && name.endsWith(own.name)
}
