import { describe, expect, it } from 'vitest'
import { toFilePath } from './file-path.js'
import { formatPath } from './locate.js'

describe('toFilePath', () => {
  it.each([
    ['authorization.policies[1]', 'incomingAuth.authz.policies[1]'],
    ['aggregation.conflictResolution.strategy', 'aggregation.conflictResolution'],
    ['aggregation.conflictResolution.priorityOrder', 'aggregation.conflictResolutionConfig.priorityOrder'],
    ['aggregation.tools[0].workload', 'aggregation.tools[0].workload'],
    ['aggregation.names.maxLength', 'aggregation.nameLengthLimit'],
    ['health.checkTimeoutMs', 'operational.failureHandling.healthCheckTimeout'],
    ['health.circuitBreaker.timeoutMs', 'operational.failureHandling.circuitBreaker.timeout'],
    ['timeouts.defaultMs', 'operational.timeouts.default'],
    ['timeouts.perBackendMs.files', 'operational.timeouts.perWorkload.files'],
    ['timeouts.firstAnswerMs', 'operational.timeouts.firstAnswer'],
    ['partialFailureMode', 'operational.failureHandling.partialFailureMode'],
    ['compositeTools[2].steps[0].timeoutMs', 'compositeTools[2].steps[0].timeout'],
    ['passthroughHeaders[0]', 'passthroughHeaders[0]'],
  ])('finds %s at %s', (path, place) => {
    expect(formatPath(toFilePath(path))).toBe(place)
  })
})
