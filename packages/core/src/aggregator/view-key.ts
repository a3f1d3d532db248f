import { createHash } from 'node:crypto'

import type { CallOptions, Identity } from '@vmcp/domain'

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
