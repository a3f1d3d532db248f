import type { Finding, Resource, ResourceTemplate } from '@vmcp/domain'

import { sortedByKey } from '../order.js'
import type { Routed } from '../view.js'

/** An item and the backend that offers it. */
export interface Offered<Item> {
  readonly backendId: string
  readonly item: Item
}

/**
 * One resource for each URI, or one template for each text: the first in the given order. URIs are never rewritten, so
 * that links in results stay readable.
 */
export function placeByUri<Item extends Resource | ResourceTemplate>(
  kind: 'resource' | 'template',
  offered: readonly Offered<Item>[],
  uriOf: (item: Item) => string,
): { readonly routed: ReadonlyMap<string, Routed<Item>>; readonly findings: readonly Finding[] } {
  const routed = new Map<string, Routed<Item>>()
  const findings: Finding[] = []
  for (const { backendId, item } of offered) {
    const uri = uriOf(item)
    const owner = routed.get(uri)
    if (owner === undefined) {
      routed.set(uri, { item: { ...item, backendId }, route: { backendId, name: uri } })
      continue
    }
    findings.push({
      reason: 'lost-conflict',
      kind,
      subject: uri,
      backendId,
      message:
        owner.route.backendId === backendId
          ? `backend ${backendId} lists it more than once; the first counts`
          : `backend ${owner.route.backendId} serves it`,
    })
  }
  return { routed: sortedByKey(routed), findings }
}
