import type { WorkflowStep } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { gate } from '../../test/gate.js'
import { runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, hangs, says, scriptedTools, structured } from '../../test/scripted-tools.js'

describe('defaultResults', () => {
  it('CORE-W24 stand in for a skipped step', async () => {
    const workflow = workflowOf({
      steps: [
        toolStep('optional_step', {
          condition: '{{.params.run_optional}}',
          defaultResults: { text: 'default_from_skip' },
        }),
      ],
      output: {
        properties: {
          result: {
            type: 'string',
            description: 'The result',
            value: '{{.steps.optional_step.output.text}}',
            default: 'fallback_not_used',
          },
        },
      },
    })
    const tools = scriptedTools({ optional_step: () => says('step_executed') })

    const skipped = await runToEnd(workflow, tools, { arguments: { run_optional: false } })
    const ran = await runToEnd(workflow, tools, { arguments: { run_optional: true } })

    expect(skipped.output).toEqual({ result: 'default_from_skip' })
    expect(ran.output).toEqual({ result: 'step_executed' })
  })

  it('CORE-W25 stand in for a failed call when the step continues', async () => {
    const workflow = workflowOf({
      steps: [
        toolStep('a', {
          arguments: { fail: '{{.params.fail}}' },
          onError: { action: 'continue' },
          defaultResults: { text: 'default_from_error' },
        }),
      ],
      output: {
        properties: { result: { type: 'string', description: 'The result', value: '{{.steps.a.output.text}}' } },
      },
    })
    const tools = scriptedTools({ a: ({ fail }) => (fail === true ? fails('broken') : says('success_from_tool')) })

    const failed = await runToEnd(workflow, tools, { arguments: { fail: true } })
    const worked = await runToEnd(workflow, tools, { arguments: { fail: false } })

    expect(failed.output).toEqual({ result: 'default_from_error' })
    expect(worked.output).toEqual({ result: 'success_from_tool' })
  })

  it('do not stand in when it was not the call that failed', async () => {
    const step = toolStep('a', {
      tool: 'gone',
      onError: { action: 'continue' },
      defaultResults: { text: 'unused' },
    })

    const run = await runToEnd(workflowOf({ steps: [step] }), scriptedTools({}))

    expect(run.status).toBe('completed')
    expect(run.steps[0]).toMatchObject({ status: 'failed', output: null })
  })

  it('CORE-W30 may be nested and typed, and are read like the output itself', async () => {
    const settings = {
      settings: { theme: 'light', language: 'default' },
      features: { beta_enabled: false, max_items: 50 },
      version: '1.0.0',
    }
    const describeWith = (value: string) => ({ type: 'string' as const, description: 'd', value })
    const workflow = workflowOf({
      steps: [toolStep('load', { condition: '{{.params.load}}', defaultResults: settings })],
      output: {
        properties: {
          theme: describeWith('{{.steps.load.output.settings.theme}}'),
          beta: describeWith('{{if .steps.load.output.features.beta_enabled}}beta_on{{else}}beta_off{{end}}'),
          items: describeWith('{{if gt .steps.load.output.features.max_items 75.0}}items_high{{else}}items_low{{end}}'),
          version: describeWith('{{.steps.load.output.version}}'),
        },
      },
    })
    const tools = scriptedTools({
      load: () =>
        structured({
          settings: { theme: 'dark', language: 'en' },
          features: { beta_enabled: true, max_items: 100 },
          version: '2.0.0',
        }),
    })

    const skipped = await runToEnd(workflow, tools, { arguments: { load: false } })
    const loaded = await runToEnd(workflow, tools, { arguments: { load: true } })

    expect(skipped.output).toEqual({ theme: 'light', beta: 'beta_off', items: 'items_low', version: '1.0.0' })
    expect(loaded.output).toEqual({ theme: 'dark', beta: 'beta_on', items: 'items_high', version: '2.0.0' })
  })
})

describe('onError', () => {
  const free = (second: Partial<Extract<WorkflowStep, { type: 'tool' }>>) =>
    workflowOf({ steps: [toolStep('one'), toolStep('two', second), toolStep('three')] })
  const scripts = { one: () => structured({}), two: () => fails('broken'), three: () => structured({}) }

  // `failureMode: continue` of the reference cannot be set from a configuration; `onError` says it per step.
  it('CORE-W18 aborts the workflow, or goes on with all other steps', async () => {
    const tools = scriptedTools(scripts)

    const aborted = await runToEnd(free({}), scriptedTools(scripts))
    const continued = await runToEnd(free({ onError: { action: 'continue' } }), tools)

    expect(aborted.status).toBe('failed')
    expect(continued.status).toBe('completed')
    expect(continued.steps.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed'])
  })

  it('aborts the steps that run at the same time, down to their calls', async () => {
    const aborted: string[] = []
    const started = gate()
    const tools = scriptedTools({
      slow: (args, options) => {
        options.signal?.addEventListener('abort', () => aborted.push('slow'))
        started.open()
        return hangs(args, options)
      },
      broken: async () => {
        await started.passed
        return fails('broken')
      },
      never: () => structured({}),
    })
    const workflow = workflowOf({
      steps: [toolStep('slow'), toolStep('broken'), toolStep('never', { dependsOn: ['slow'] })],
    })

    const run = await runToEnd(workflow, tools)

    expect(aborted).toEqual(['slow'])
    expect(run.steps.map(({ stepId, status }) => [stepId, status])).toEqual([
      ['slow', 'cancelled'],
      ['broken', 'failed'],
    ])
  })
})
