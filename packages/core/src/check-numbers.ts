import type { ConfigProblem } from '@vmcp/domain'

import type { CoreConfig } from './core-config.js'
import { healthProblems } from './health/health-settings.js'

/** What is wrong with the numbers of a configuration. */
export function checkNumbers(config: CoreConfig): readonly ConfigProblem[] {
  const { aggregation = {}, health = {}, timeouts = {} } = config
  return [
    ...atLeast(0, 'aggregation.cacheTtlMs', aggregation.cacheTtlMs),
    ...atLeast(1, 'aggregation.cacheSize', aggregation.cacheSize),
    ...atLeast(16, 'aggregation.names.maxLength', aggregation.names?.maxLength),
    ...atLeast(0, 'aggregation.names.reservedLength', aggregation.names?.reservedLength),
    ...checkNameBudget(config),
    ...healthProblems(health),
    ...atLeast(1, 'timeouts.defaultMs', timeouts.defaultMs),
    ...Object.entries(timeouts.perBackendMs ?? {}).flatMap(([id, value]) =>
      atLeast(1, `timeouts.perBackendMs.${id}`, value),
    ),
    ...atLeast(1, 'timeouts.totalMs', timeouts.totalMs),
    ...atLeast(0, 'timeouts.firstAnswerMs', timeouts.firstAnswerMs),
  ]
}

function checkNameBudget({ aggregation }: CoreConfig): readonly ConfigProblem[] {
  const { maxLength = 64, reservedLength = 0 } = aggregation?.names ?? {}
  if (!(maxLength >= 16) || !(reservedLength > maxLength - 16)) return []
  const message = `leaves less than 16 of ${maxLength} characters for names`
  return [{ path: 'aggregation.names.reservedLength', message }]
}

function atLeast(least: number, path: string, value: number | undefined): readonly ConfigProblem[] {
  if (value === undefined || (Number.isFinite(value) && value >= least)) return []
  return [{ path, message: `expected a number of at least ${least}, got ${String(value)}` }]
}
