import type { Finding, FindingReason, Logger } from '@vmcp/domain'

import { fingerprintOf } from './fingerprint.js'
import { LruMap } from './lru-map.js'

/** Messages in one line at most; the whole report is in `VmcpAdmin`. */
const maxMessages = 20
const maxViews = 1024
const expected: ReadonlySet<FindingReason> = new Set(['hidden', 'renamed', 'name-repaired'])

/** Takes the findings of each view that is built. */
export type ReportLog = (viewKey: string, findings: readonly Finding[]) => void

/**
 * Writes one line when a view's findings are new: neither those it had before, nor those another view has now. Callers
 * who see the same thing do not repeat each other.
 */
export function createReportLog(logger: Logger): ReportLog {
  const latest = new LruMap<string, string>(maxViews)
  return (viewKey, findings) => {
    const fingerprint = fingerprintOf(findings)
    const previous = latest.get(viewKey)
    if (previous === fingerprint) return
    const isKnown = [...latest.entries()].some(([, other]) => other === fingerprint)
    latest.set(viewKey, fingerprint)
    if (isKnown) return
    if (findings.length > 0) writeFindings(logger, findings)
    else if (previous !== undefined) logger.info('aggregation: everything that backends offer is served again')
  }
}

function writeFindings(logger: Logger, findings: readonly Finding[]): void {
  const counts: Partial<Record<FindingReason, number>> = {}
  for (const { reason } of findings) counts[reason] = (counts[reason] ?? 0) + 1
  const important = [...findings].sort((left, right) => weight(left) - weight(right))
  const fields = {
    counts,
    findings: important.slice(0, maxMessages).map(({ reason, kind, subject, backendId, message }) => ({
      reason,
      kind,
      subject,
      ...(backendId === undefined ? {} : { backendId }),
      message,
    })),
  }
  const message = 'aggregation: not everything is served as the backends offer it'
  if (findings.every((finding) => expected.has(finding.reason))) logger.info(message, fields)
  else logger.warn(message, fields)
}

function weight(finding: Finding): number {
  return expected.has(finding.reason) ? 1 : 0
}
