import { Identity } from '@vmcp/domain'
import type { Finding } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'

import { Aggregator } from './aggregator.js'
import { createReportLog } from './report-log.js'
import { aggregatorLayer, recordingLogger } from './test-support/aggregate.js'
import { scriptedBackend } from './test-support/scripted-backend.js'

const lost: Finding = { reason: 'lost-conflict', kind: 'tool', subject: 'x', backendId: 'b', message: 'a serves it' }
const hidden: Finding = { reason: 'hidden', kind: 'tool', subject: 'x', backendId: 'b', message: 'the filter' }

describe('createReportLog', () => {
  it('writes one line for a view with findings, and none for the same findings again', () => {
    const logger = recordingLogger()
    const log = createReportLog(logger)
    log('alice', [lost, hidden])
    log('alice', [lost, hidden])
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { counts: { 'lost-conflict': 1, hidden: 1 }, findings: [lost, hidden] } },
    ])
  })

  it('writes again when they change, and when they are gone', () => {
    const logger = recordingLogger()
    const log = createReportLog(logger)
    log('alice', [lost])
    log('alice', [hidden])
    log('alice', [])
    log('alice', [lost])
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'info', 'info', 'warn'])
  })

  it('does not repeat for one caller what another caller has too', () => {
    const logger = recordingLogger()
    const log = createReportLog(logger)
    log('alice', [lost])
    log('bob', [lost])
    expect(logger.lines).toHaveLength(1)
  })

  it('is silent about a view without findings', () => {
    const logger = recordingLogger()
    createReportLog(logger)('alice', [])
    expect(logger.lines).toEqual([])
  })

  it('writes what nobody expects first, and no more than twenty', () => {
    const logger = recordingLogger()
    createReportLog(logger)('alice', [...Array.from({ length: 50 }, () => hidden), lost])
    const { findings } = logger.lines[0]?.fields as { findings: readonly Finding[] }
    expect(findings).toHaveLength(20)
    expect(findings[0]).toEqual(lost)
  })
})

describe('the log of an aggregator', () => {
  it('has one line for each change, not for each request or caller', async () => {
    const logger = recordingLogger()
    const backends = ['a', 'b'].map((id) => scriptedBackend(id, { resources: ['u:1'] }))
    await Effect.runPromise(
      Effect.flatMap(Aggregator, ({ view, purge }) =>
        Effect.gen(function* () {
          for (const subject of ['alice', 'bob', 'alice']) {
            yield* view(new Identity({ issuer: 'i', subject }))
            purge()
          }
        }),
      ).pipe(Effect.provide(aggregatorLayer(backends, { logger }))),
    )
    expect(logger.lines).toHaveLength(1)
    expect(JSON.stringify(logger.lines)).not.toContain('alice')
  })

  it('tells why there is no view', async () => {
    const logger = recordingLogger()
    const failing = scriptedBackend('b', { client: { describe: () => Promise.reject(new Error('no')) } })
    await Effect.runPromise(
      Effect.flatMap(Aggregator, ({ view }) => Effect.exit(view(null))).pipe(
        Effect.provide(aggregatorLayer([failing], { logger })),
      ),
    )
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { counts: { 'backend-failed': 1 } } }])
  })
})
