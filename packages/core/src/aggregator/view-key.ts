import { createHash } from 'node:crypto'

import type { Backend, CallOptions, Identity } from '@vmcp/domain'

import { compareText } from './order.js'

/**
 * Names what a view depends on: the caller, the forwarded headers and the backends asked. JSON keeps the parts apart, so
 * that no value can pose as two. Header values may be credentials: with them the key is a hash, so that they stay out of
 * memory dumps.
 */
export function viewKey(
  identity: Identity | null,
  forwardedHeaders: CallOptions['forwardedHeaders'],
  backendIds: readonly string[],
): string {
  const caller = identity === null ? null : [identity.issuer, identity.subject]
  const headers = Object.entries(forwardedHeaders ?? {}).sort(([left], [right]) => compareText(left, right))
  const key = JSON.stringify([caller, headers, backendIds])
  return headers.length === 0 ? key : createHash('sha256').update(key).digest('base64')
}

/**
 * Makes a `viewKey` that remembers the key of each caller without forwarded headers, for as long as `served` is the same
 * list: nearly every call asks for the one it asked for before.
 */
export function rememberedViewKey(): (
  identity: Identity | null,
  forwardedHeaders: CallOptions['forwardedHeaders'],
  served: readonly Backend[],
) => string {
  const known = new WeakMap<Identity, RememberedKey>()
  let ofNobody: RememberedKey | undefined

  return (identity, forwardedHeaders, served) => {
    const last = identity === null ? ofNobody : known.get(identity)
    if (forwardedHeaders === undefined && last?.served === served) return last.key
    const backendIds = served.map((backend) => backend.id)
    const key = viewKey(identity, forwardedHeaders, backendIds)
    if (forwardedHeaders !== undefined) return key
    if (identity === null) ofNobody = { served, key }
    else known.set(identity, { served, key })
    return key
  }
}

interface RememberedKey {
  readonly served: readonly Backend[]
  readonly key: string
}
