import type { BackendHealth, BackendStatus } from '@vmcp/domain'

/** How the backends do as a whole. */
export interface HealthSummary {
  readonly phase: 'Ready' | 'Pending' | 'Degraded' | 'Failed'
  readonly reason: 'AllBackendsRoutable' | 'BackendsPending' | 'SomeBackendsUnhealthy' | 'NoRoutableBackends'
  /** A sentence for people. */
  readonly message: string
  /**
   * Backends that are healthy or only want credentials. Degraded ones are served but do not count here, and
   * unauthenticated ones count but are not served: operators read trouble off this number, clients read the lists.
   */
  readonly routable: number
}

/** Sums up statuses. Backends of which nothing is known yet are waited for, until the first answer of any of them. */
export function healthSummary(statuses: readonly BackendStatus[]): HealthSummary {
  const total = statuses.length
  const count = (health: BackendHealth): number => statuses.filter((status) => status.health === health).length
  const routable = count('healthy') + count('unauthenticated')
  const others = `(${count('degraded')} degraded, ${count('unhealthy')} unhealthy, ${count('unknown')} unknown)`

  if (total === 0) return { ...ready, message: 'Ready, no backends configured', routable }
  if (statuses.every((status) => status.health === 'unknown' && status.consecutiveFailures === 0)) {
    const message = `Waiting for initial health checks (${backends(total)} configured)`
    return { phase: 'Pending', reason: 'BackendsPending', message, routable }
  }
  if (routable === 0) {
    return { phase: 'Failed', reason: 'NoRoutableBackends', message: `No routable backends ${others}`, routable }
  }
  if (routable < total) {
    const message = `${routable}/${total} backends routable ${others}`
    return { phase: 'Degraded', reason: 'SomeBackendsUnhealthy', message, routable }
  }
  return { ...ready, message: allWell(count('healthy'), count('unauthenticated')), routable }
}

/** One backend's health for people; what its circuit breaker does comes first. */
export function backendMessage({ health, circuit, lastFailure }: BackendStatus): string {
  const message = health === 'unhealthy' ? (failureTexts[lastFailure ?? ''] ?? 'Unhealthy') : healthTexts[health]
  if (circuit === 'open') return `Circuit breaker OPEN - ${message}`
  return circuit === 'half-open' ? `Circuit breaker testing recovery - ${message}` : message
}

const ready = { phase: 'Ready', reason: 'AllBackendsRoutable' } as const

const healthTexts: Readonly<Record<Exclude<BackendHealth, 'unhealthy'>, string>> = {
  healthy: 'Healthy',
  degraded: 'Degraded performance',
  unauthenticated: 'Authentication required',
  unknown: 'Unknown',
}

const failureTexts: Readonly<Record<string, string>> = {
  authentication_failed: 'Authentication failed',
  timeout: 'Health check timed out',
  cancelled: 'Health check cancelled',
  backend_unavailable: 'Backend unavailable',
  connection_failed: 'Connection failed',
  health_check_failed: 'Health check failed',
}

function allWell(healthy: number, unauthenticated: number): string {
  const wanting = unauthenticated === 1 ? 'requires authentication' : 'require authentication'
  if (unauthenticated === 0) return `${all(healthy)} healthy`
  if (healthy === 0) return `${all(unauthenticated)} ${wanting}`
  return `${backends(healthy)} healthy, ${unauthenticated} ${wanting}`
}

function all(count: number): string {
  return count === 1 ? backends(count) : `All ${backends(count)}`
}

function backends(count: number): string {
  return `${count} ${count === 1 ? 'backend' : 'backends'}`
}
