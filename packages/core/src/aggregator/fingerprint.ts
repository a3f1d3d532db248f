import { createHash } from 'node:crypto'

import type { Finding } from '@vmcp/domain'

/** Names a set of findings in few characters: there may be a thousand of them in each of a thousand views. */
export function fingerprintOf(findings: readonly Finding[]): string {
  const facts = findings.map(({ reason, kind, subject, backendId, message }) => [
    reason,
    kind,
    subject,
    backendId,
    message,
  ])
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64')
}
