import type { Logger } from '@vmcp/domain'

import type { AggregationConfig } from '../core-config.js'

/** What `Aggregator` is made from. */
export interface AggregatorOptions {
  readonly aggregation?: AggregationConfig
  /** `best_effort` when absent. */
  readonly partialFailureMode?: 'best_effort' | 'fail'
  /** Milliseconds that a backend has for all its lists. */
  readonly discoveryTimeoutMs: (backendId: string) => number
  /** Milliseconds for a backend that has not answered since the start; absent means that it is waited for like the others. */
  readonly firstAnswerMs?: number
  readonly logger: Logger
}
