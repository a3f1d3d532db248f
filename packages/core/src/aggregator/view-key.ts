import { createHash } from 'node:crypto'

import type { CallOptions, Identity } from '@vmcp/domain'

/**
 * Names what a view depends on: the caller, the forwarded headers and the backends asked. JSON keeps the parts apart, so
 * that no value can pose as two; the hash keeps header values, which may be credentials, out of memory dumps.
 */
export function viewKey(
  identity: Identity | null,
  forwardedHeaders: CallOptions['forwardedHeaders'],
  backendIds: readonly string[],
): string {
  const caller = identity === null ? null : [identity.issuer, identity.subject]
  const headers = Object.entries(forwardedHeaders ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([caller, headers, backendIds]))
    .digest('base64')
}
