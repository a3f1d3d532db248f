import type { ConfigProblem } from '@vmcp/domain'

import type { HealthConfig } from '../core-config.js'
import type { CircuitLimits } from './circuit-breaker.js'

/** A `HealthConfig` with its defaults. */
export interface HealthSettings {
  readonly checkIntervalMs: number
  readonly checkTimeoutMs: number
  readonly unhealthyThreshold: number
  readonly degradedThresholdMs: number
  /** Absent when there are no circuit breakers. */
  readonly circuit?: CircuitLimits
}

/** Fills in the defaults. A probe timeout of 0 is the default, not "none". */
export function healthSettings(config: HealthConfig): HealthSettings {
  const { checkIntervalMs = 30_000, circuitBreaker } = config
  const settings = {
    checkIntervalMs,
    checkTimeoutMs: config.checkTimeoutMs || Math.min(10_000, checkIntervalMs / 2),
    unhealthyThreshold: config.unhealthyThreshold ?? 3,
    degradedThresholdMs: config.degradedThresholdMs ?? 5_000,
  }
  if (circuitBreaker === undefined) return settings
  const { failureThreshold = 5, timeoutMs = 60_000 } = circuitBreaker
  return { ...settings, circuit: { failureThreshold, timeoutMs } }
}

/** What is wrong with a `HealthConfig`; all of it. */
export function healthProblems(config: HealthConfig): readonly ConfigProblem[] {
  const settings = healthSettings(config)
  const { checkIntervalMs, checkTimeoutMs, unhealthyThreshold, degradedThresholdMs, circuit } = settings
  const checks: readonly (readonly [boolean, string, string])[] = [
    [checkIntervalMs > 0, 'checkIntervalMs', `check interval must be > 0, got ${checkIntervalMs}`],
    [checkTimeoutMs >= 0, 'checkTimeoutMs', `check timeout must be >= 0, got ${checkTimeoutMs}`],
    [
      checkTimeoutMs < checkIntervalMs || checkIntervalMs <= 0,
      'checkTimeoutMs',
      `check timeout (${checkTimeoutMs} ms) must be less than the check interval (${checkIntervalMs} ms)`,
    ],
    [unhealthyThreshold >= 1, 'unhealthyThreshold', `unhealthy threshold must be >= 1, got ${unhealthyThreshold}`],
    [degradedThresholdMs > 0, 'degradedThresholdMs', `degraded threshold must be > 0, got ${degradedThresholdMs}`],
    [
      circuit === undefined || circuit.failureThreshold >= 1,
      'circuitBreaker.failureThreshold',
      `failure threshold must be >= 1, got ${circuit?.failureThreshold}`,
    ],
    [
      circuit === undefined || circuit.timeoutMs > 0,
      'circuitBreaker.timeoutMs',
      `timeout must be > 0, got ${circuit?.timeoutMs}`,
    ],
  ]
  return checks.filter(([holds]) => !holds).map(([, field, message]) => ({ path: `health.${field}`, message }))
}
