import { parsePath, type Path } from './locate.js'

/** Where the settings of a section of the core stand in a file. */
const sections: Readonly<Record<string, string>> = {
  authorization: 'incomingAuth.authz',
  'aggregation.conflictResolution.strategy': 'aggregation.conflictResolution',
  'aggregation.conflictResolution': 'aggregation.conflictResolutionConfig',
  'aggregation.names.maxLength': 'aggregation.nameLengthLimit',
  'aggregation.names.reservedLength': 'aggregation.reservedNameLength',
  'health.checkIntervalMs': 'operational.failureHandling.healthCheckInterval',
  'health.checkTimeoutMs': 'operational.failureHandling.healthCheckTimeout',
  health: 'operational.failureHandling',
  'timeouts.defaultMs': 'operational.timeouts.default',
  'timeouts.perBackendMs': 'operational.timeouts.perWorkload',
  'timeouts.firstAnswerMs': 'operational.timeouts.firstAnswer',
  timeouts: 'operational.timeouts',
  partialFailureMode: 'operational.failureHandling.partialFailureMode',
}

/** Names that a file has without their unit. */
const keys: Readonly<Record<string, string>> = { timeoutMs: 'timeout', retryDelayMs: 'retryDelay' }

/** Where something stands in a file that the core, the composer or the server names by its own path. */
export function toFilePath(path: string): Path {
  const own = parsePath(path)
  const depth = own.findLastIndex((_, index) => Object.hasOwn(sections, own.slice(0, index + 1).join('.'))) + 1
  const section = depth === 0 ? [] : parsePath(sections[own.slice(0, depth).join('.')] ?? '')
  return [...section, ...own.slice(depth).map((key) => (typeof key === 'string' ? (keys[key] ?? key) : key))]
}
