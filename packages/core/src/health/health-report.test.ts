import type { BackendHealth, BackendStatus } from '@vmcp/domain'
import { recordingLogger } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import { healthReport } from './health-report.js'

const backends = (...health: readonly BackendHealth[]): readonly BackendStatus[] =>
  health.map((one, index) => ({ id: `b${index}`, name: `b${index}`, health: one, consecutiveFailures: 1 }))

describe('healthReport', () => {
  it('writes one line for what stays the same', () => {
    const logger = recordingLogger()
    const report = healthReport(logger)
    for (let round = 0; round < 3; round += 1) report(backends('healthy', 'healthy'))
    expect(logger.lines).toEqual([
      {
        level: 'info',
        message: 'health of the backends: All 2 backends healthy',
        fields: {
          phase: 'Ready',
          reason: 'AllBackendsRoutable',
          routable: 2,
          backends: { b0: 'Healthy', b1: 'Healthy' },
        },
      },
    ])
  })

  it('warns when they do worse, and tells when they do better', () => {
    const logger = recordingLogger()
    const report = healthReport(logger)
    for (const health of ['healthy', 'unhealthy', 'healthy'] as const) report(backends('healthy', health))
    expect(logger.lines.map(({ level, fields }) => [level, fields['phase']])).toEqual([
      ['info', 'Ready'],
      ['warn', 'Degraded'],
      ['info', 'Ready'],
    ])
  })
})
