import { InvalidConfig, silentLogger } from '@vmcp/domain'
import type { ConfigProblem } from '@vmcp/domain'
import { recordingLogger } from '@vmcp/testing'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { describe, expect, it } from 'vitest'

import type { AuthorizationConfig } from '../../core-config.js'
import { cedarAdmission } from './cedar-admission.js'

describe('cedarAdmission', () => {
  it('is built in one turn, so that a core can be made without waiting', () => {
    const made = cedarAdmission({ ...policies('permit(principal, action, resource);'), logger: silentLogger })
    expect(Exit.isSuccess(Effect.runSyncExit(Effect.scoped(made)))).toBe(true)
  })

  it('SRV-H013 lists every problem of its configuration', () => {
    const problems = problemsOf({
      serverName: '',
      authorization: {
        type: 'cedar',
        policies: ['permit(principal,\n  action resource);', ' ', 'permit(principal == ?principal, action, resource);'],
        entitiesJson: '{}',
        groupEntityType: 'Platform::Group',
      },
    })
    expect(problems.map((problem) => problem.path)).toEqual([
      'name',
      'authorization.policies[0]',
      'authorization.policies[1]',
      'authorization.policies[2]',
      'authorization.groupEntityType',
      'authorization.entitiesJson',
    ])
    expect(problems[1]?.message).toContain('line 2, column 10: unexpected token `resource`')
  })

  it('SRV-H013 refuses to run without policies', () => {
    expect(problemsOf(policies())).toEqual([
      { path: 'authorization.policies', message: 'at least one policy is required' },
    ])
  })

  it.each(['[{"uid":"x"}]', 'no JSON', '[{"uid":{"type":"A","id":"a"},"attrs":{"x":null}}]'])(
    'refuses the entities %s',
    (entitiesJson) => {
      const { authorization } = policies('permit(principal, action, resource);')
      const problems = problemsOf({ serverName: 'server', authorization: { ...authorization, entitiesJson } })
      expect(problems).toMatchObject([{ path: 'authorization.entitiesJson' }])
    },
  )

  it('warns of entities that no group can be, since groups have another type', () => {
    const logger = recordingLogger()
    const { serverName, authorization } = policies('permit(principal, action, resource);')
    const entitiesJson = '[{"uid":{"type":"THVGroup","id":"eng"},"attrs":{},"parents":[]}]'
    const other = { ...authorization, entitiesJson, groupEntityType: 'Team' }
    Effect.runSync(Effect.scoped(cedarAdmission({ serverName, authorization: other, logger })))
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { groupEntityType: 'Team' } }])
  })
})

interface Options {
  readonly serverName: string
  readonly authorization: AuthorizationConfig
}

function policies(...texts: string[]): Options {
  return { serverName: 'server', authorization: { type: 'cedar', policies: texts } }
}

function problemsOf(options: Options): readonly ConfigProblem[] {
  const failure = Effect.runSync(Effect.flip(Effect.scoped(cedarAdmission({ ...options, logger: silentLogger }))))
  expect(failure).toBeInstanceOf(InvalidConfig)
  return failure.problems
}
