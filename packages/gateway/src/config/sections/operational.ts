import * as z from 'zod'
import { duration, positiveDuration } from '../duration.js'
import { flag, oneOf, optional, section, wholeNumber } from '../fields.js'

/** Deadlines, health checks and failure handling. */
export const operational = section({
  logLevel: optional(oneOf('debug', 'info', 'warn', 'error')),
  timeouts: optional(
    section({
      default: optional(positiveDuration),
      perWorkload: optional(
        z.record(z.string(), positiveDuration, 'expected a section of backend names and durations'),
      ),
    }),
  ),
  failureHandling: optional(
    section({
      healthCheckInterval: optional(positiveDuration),
      unhealthyThreshold: optional(wholeNumber(1)),
      healthCheckTimeout: optional(duration.refine((value) => value >= 0, 'must be >= 0')),
      statusReportingInterval: optional(positiveDuration),
      partialFailureMode: optional(oneOf('fail', 'best_effort')),
      circuitBreaker: optional(
        section({
          enabled: optional(flag),
          failureThreshold: optional(wholeNumber(1)),
          timeout: optional(duration.refine((value) => value >= 1_000, 'must be >= 1s to prevent thrashing')),
        }),
      ),
    }),
  ),
})

/** The `operational` section of the file. */
export type OperationalSection = z.infer<typeof operational>
