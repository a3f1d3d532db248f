import { describe, expect, it } from 'vitest'
import { runOnTestClock, runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { hangs, says, scriptedTools, structured } from '../../test/scripted-tools.js'
import { workflowResult } from '../workflow-result.js'

describe('the output of a run', () => {
  it('CORE-W21 can tell about the run itself', async () => {
    const part = (type: 'string' | 'integer', field: string) => ({
      type,
      description: field,
      value: `{{.workflow.${field}}}`,
    })
    const workflow = workflowOf({
      steps: [toolStep('a'), toolStep('b', { dependsOn: ['a'] })],
      output: {
        properties: {
          summary: {
            type: 'object',
            description: 'About the run',
            properties: {
              workflow_id: part('string', 'id'),
              duration_ms: part('integer', 'duration_ms'),
              step_count: part('integer', 'step_count'),
              status: part('string', 'status'),
              start_time: part('string', 'start_time'),
            },
          },
        },
      },
    })

    const tools = scriptedTools({ a: hangs, b: () => structured({}) })
    const slowStep = {
      ...workflow,
      steps: [toolStep('a', { timeoutMs: 70, onError: { action: 'continue' } }), toolStep('b', { dependsOn: ['a'] })],
    } as const
    const run = await runOnTestClock(slowStep, tools, { advance: [70] })

    expect(run.output).toEqual({
      summary: {
        workflow_id: run.runId,
        duration_ms: 70,
        step_count: 1,
        status: 'completed',
        start_time: '1970-01-01T00:00:00Z',
      },
    })
  })

  it('CORE-W26 is made with conditions and comparisons over nested fields', async () => {
    const user = {
      name: 'Alice',
      profile: { email: 'alice@example.com' },
      active: true,
      role: 'admin',
      score: 95.5,
      login_count: 42,
    }
    const describeWith = (value: string) => ({ type: 'string' as const, description: 'd', value })
    const workflow = workflowOf({
      steps: [toolStep('get')],
      output: {
        properties: {
          name: describeWith('{{.steps.get.output.user.name}}'),
          email: describeWith('{{.steps.get.output.user.profile.email}}'),
          active: describeWith('{{if .steps.get.output.user.active}}active_yes{{else}}active_no{{end}}'),
          role: describeWith('{{if eq .steps.get.output.user.role "admin"}}role_admin{{else}}role_user{{end}}'),
          score: describeWith('{{if gt .steps.get.output.user.score 90.0}}score_high{{else}}score_low{{end}}'),
          logins: describeWith('{{if ge .steps.get.output.user.login_count 10.0}}logins_frequent{{end}}'),
        },
      },
    })

    const run = await runToEnd(workflow, scriptedTools({ get: () => structured({ user }) }))

    expect(run.output).toEqual({
      name: 'Alice',
      email: 'alice@example.com',
      active: 'active_yes',
      role: 'role_admin',
      score: 'score_high',
      logins: 'logins_frequent',
    })
  })

  it('CORE-W29 fails the run when a template compares a number of a backend with an integer literal', async () => {
    const workflow = workflowOf({
      steps: [toolStep('get_count_step')],
      output: {
        properties: {
          level: {
            type: 'string',
            description: 'd',
            value: '{{if ge .steps.get_count_step.output.count 10}}high{{else}}low{{end}}',
          },
        },
      },
    })

    const run = await runToEnd(workflow, scriptedTools({ get_count_step: () => structured({ count: 42 }) }))

    const { content, isError } = workflowResult(run)
    expect(isError).toBe(true)
    expect(content[0]?.['text']).toContain('incompatible types for comparison')
  })

  it('is that of the step that completed last when the workflow does not say', async () => {
    const steps = [
      toolStep('a'),
      toolStep('b', { dependsOn: ['a'] }),
      toolStep('c', { dependsOn: ['b'], condition: 'false' }),
    ]

    const run = await runToEnd(
      workflowOf({ steps }),
      scriptedTools({ a: () => structured({ n: 1 }), b: () => structured({ n: 2 }), c: () => structured({ n: 3 }) }),
    )

    expect(run.output).toEqual({ n: 2 })
  })

  it('fails the run when it cannot be made', async () => {
    const workflow = workflowOf({
      steps: [toolStep('a')],
      output: { properties: { n: { type: 'integer', description: 'n', value: '{{.steps.a.output.text}}' } } },
    })

    const run = await runToEnd(workflow, scriptedTools({ a: () => says('not_a_number') }))

    expect(run.status).toBe('failed')
    expect(run.error).toMatchObject({ reason: { _tag: 'OutputFailed', property: 'n' } })
    expect(run.error?.message).toMatch(/^output construction failed: /)
  })
})
