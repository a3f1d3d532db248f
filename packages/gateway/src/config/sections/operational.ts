import * as z from 'zod'
import { duration, durationFromZero, positiveDuration } from '../duration.js'
import { flag, oneOf, optional, section, wholeNumber } from '../fields.js'

const timeouts = section({
  default: optional(positiveDuration).describe('How long a backend may take for one answer; 30s when absent.'),
  perWorkload: optional(
    z.record(z.string(), positiveDuration, 'expected a section of backend names and durations'),
  ).describe('How long a backend may take, by backend name.'),
  firstAnswer: optional(durationFromZero).describe(
    'How long lists wait for a backend by URL that has not answered since the start, when another has; 500ms when absent, 0 waits for none. It joins when it answers. One-shot commands such as `vmcp workflow` wait for every backend.',
  ),
})

const circuitBreaker = section({
  enabled: optional(flag).describe('Whether the breaker is used; false when absent.'),
  failureThreshold: optional(wholeNumber(1)).describe('Failures in a row that open it; 5 when absent.'),
  timeout: optional(duration.refine((value) => value >= 1_000, 'must be >= 1s to prevent thrashing')).describe(
    'How long it stays open before one call is let through; at least 1s, 60s when absent.',
  ),
})

const failureHandling = section({
  healthCheckInterval: optional(positiveDuration).describe('Time between two checks of a backend; 30s when absent.'),
  unhealthyThreshold: optional(wholeNumber(1)).describe(
    'Failures in a row until a backend is unhealthy and no longer served; 3 when absent.',
  ),
  healthCheckTimeout: optional(durationFromZero).describe(
    'Time for one check, less than the interval; 10s, or half a short interval, when absent or 0.',
  ),
  statusReportingInterval: optional(positiveDuration).describe('Accepted for the reference; it has no effect here.'),
  partialFailureMode: optional(oneOf('fail', 'best_effort')).describe(
    'What to serve while a backend fails: nothing (fail), or what the others offer (best_effort, the default).',
  ),
  circuitBreaker: optional(circuitBreaker).describe('Stops calls and checks to a backend that fails, for a while.'),
})

/** Deadlines, health checks and failure handling. */
export const operational = section({
  logLevel: optional(oneOf('debug', 'info', 'warn', 'error')).describe('How much to log; warn when absent.'),
  timeouts: optional(timeouts).describe('How long backends may take.'),
  failureHandling: optional(failureHandling).describe('How backends are watched, and what happens when one fails.'),
})

/** The `operational` section of the file. */
export type OperationalSection = z.infer<typeof operational>
