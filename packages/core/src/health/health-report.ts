import type { BackendStatus, Logger } from '@vmcp/domain'

import { backendMessage, healthSummary } from './health-summary.js'

/** Takes the statuses of all backends, from time to time. */
export type HealthReport = (statuses: readonly BackendStatus[]) => void

/** Writes one line on the backends as a whole, and another whenever they do better or worse. */
export function healthReport(logger: Logger): HealthReport {
  let written: string | undefined
  return (statuses) => {
    const { phase, reason, message, routable } = healthSummary(statuses)
    if (message === written) return
    written = message
    const backends = Object.fromEntries(statuses.map((status) => [status.id, backendMessage(status)]))
    const level = phase === 'Degraded' || phase === 'Failed' ? 'warn' : 'info'
    logger[level](`health of the backends: ${message}`, { phase, reason, routable, backends })
  }
}
