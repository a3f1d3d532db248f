import type { AggregationConfig, AuthorizationConfig, ConflictResolution, HealthConfig } from '@vmcp/core'
import { defined } from './defined.js'
import type { CoreSettings } from './gateway-config.js'
import type { ConfigFile } from './schema.js'
import type { AggregationSection } from './sections/aggregation.js'
import type { OperationalSection } from './sections/operational.js'

/** The sections of a file that settings of the core are read from. */
export type CoreSections = Pick<ConfigFile, 'name' | 'incomingAuth' | 'aggregation' | 'operational'>

/** Reads the core's settings from a file. */
export function readCoreSettings(config: CoreSections): CoreSettings {
  const timeouts = config.operational?.timeouts
  return defined({
    name: config.name,
    aggregation: config.aggregation && toAggregation(config.aggregation),
    authorization: toAuthorization(config),
    health: toHealth(config.operational),
    timeouts:
      timeouts &&
      defined({
        defaultMs: timeouts.default,
        perBackendMs: timeouts.perWorkload,
        firstAnswerMs: timeouts.firstAnswer,
      }),
    partialFailureMode: config.operational?.failureHandling?.partialFailureMode,
  })
}

function toAggregation(section: AggregationSection): AggregationConfig {
  return defined({
    conflictResolution: toConflictResolution(section),
    tools: section.tools?.map((tool) =>
      defined({
        ...tool,
        overrides:
          tool.overrides &&
          Object.fromEntries(
            Object.entries(tool.overrides).map(([name, override]) => [
              name,
              defined({
                name: override.name || undefined,
                description: override.description || undefined,
                annotations: override.annotations && defined(override.annotations),
              }),
            ]),
          ),
      }),
    ),
    excludeAllTools: section.excludeAllTools,
    defaultToolVisibility: section.defaultToolVisibility || undefined,
    names:
      section.nameLengthLimit === undefined && section.reservedNameLength === undefined
        ? undefined
        : defined({ maxLength: section.nameLengthLimit, reservedLength: section.reservedNameLength }),
    invalidSchemas: section.invalidSchemas,
  })
}

function toConflictResolution(section: AggregationSection): ConflictResolution {
  const prefixFormat = section.conflictResolutionConfig?.prefixFormat
  switch (section.conflictResolution) {
    case 'priority': {
      const priorityOrder = section.conflictResolutionConfig?.priorityOrder ?? []
      return defined({ strategy: 'priority', priorityOrder, prefixFormat })
    }
    case 'manual':
      return defined({ strategy: 'manual', prefixFormat })
    default:
      return defined({ strategy: 'prefix', prefixFormat })
  }
}

function toAuthorization(config: CoreSections): AuthorizationConfig | undefined {
  const authz = config.incomingAuth?.authz
  if (authz === undefined || authz.type === 'none') return undefined
  return defined({ ...authz, type: 'cedar', policies: authz.policies ?? [] })
}

/** Backends of a file are always watched, as in the reference; a breaker guards them when the file asks for one. */
function toHealth(operational: OperationalSection | undefined): HealthConfig {
  const failureHandling: NonNullable<OperationalSection['failureHandling']> = operational?.failureHandling ?? {}
  const { circuitBreaker } = failureHandling
  return defined({
    checkIntervalMs: failureHandling.healthCheckInterval,
    checkTimeoutMs: failureHandling.healthCheckTimeout,
    unhealthyThreshold: failureHandling.unhealthyThreshold,
    circuitBreaker:
      circuitBreaker?.enabled === true
        ? defined({ failureThreshold: circuitBreaker.failureThreshold, timeoutMs: circuitBreaker.timeout })
        : undefined,
  })
}
