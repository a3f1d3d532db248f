import type { ElicitationRequester } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { runOnTestClock, runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, hangs, says, scriptedTools } from '../../test/scripted-tools.js'
import { workflowResult } from '../workflow-result.js'

describe('timeouts', () => {
  it('CORE-W08 end a workflow that takes too long as timed out', async () => {
    const steps = [toolStep('a'), toolStep('b', { dependsOn: ['a'] })]
    const tools = scriptedTools({ a: hangs, b: hangs })

    const run = await runOnTestClock(workflowOf({ steps, timeoutMs: 30 }), tools, { advance: [30] })

    expect(run.status).toBe('timed_out')
    expect(run.error).toMatchObject({ reason: { _tag: 'WorkflowTimedOut', timeoutMs: 30 } })
    expect(workflowResult(run)).toEqual({
      content: [{ type: 'text', text: 'Workflow execution failed: workflow timed out' }],
      isError: true,
    })
  })

  it('end a step that takes too long, and with it the workflow', async () => {
    const tools = scriptedTools({ a: hangs })

    const run = await runOnTestClock(workflowOf({ steps: [toolStep('a', { timeoutMs: 50 })] }), tools, {
      advance: [50],
    })

    expect(run.status).toBe('failed')
    expect(run.steps[0]).toMatchObject({ status: 'failed', durationMs: 50 })
    expect(run.error).toMatchObject({ reason: { _tag: 'StepTimedOut', stepId: 'a', timeoutMs: 50 } })
  })

  it('cover the retries of a step', async () => {
    const tools = scriptedTools({ a: () => fails('always') })
    const step = toolStep('a', { timeoutMs: 1500, onError: { action: 'retry', retryCount: 10, retryDelayMs: 1000 } })

    const run = await runOnTestClock(workflowOf({ steps: [step] }), tools, { advance: [1500] })

    expect(run.error).toMatchObject({ reason: { _tag: 'StepTimedOut' } })
    expect(tools.calls).toHaveLength(2)
  })

  it('of a step let a workflow go on that continues', async () => {
    const step = toolStep('a', { timeoutMs: 50, onError: { action: 'continue' }, defaultResults: { text: 'none' } })

    const run = await runOnTestClock(workflowOf({ steps: [step] }), scriptedTools({ a: hangs }), { advance: [50] })

    expect(run.status).toBe('completed')
    expect(run.steps[0]).toMatchObject({ status: 'failed', output: { text: 'none' } })
  })

  it('of a step are five minutes when it does not say', async () => {
    const workflow = workflowOf({ steps: [toolStep('a')] })

    const run = await runOnTestClock(workflow, scriptedTools({ a: hangs }), { advance: [299_999, 1] })

    expect(run.error).toMatchObject({ reason: { _tag: 'StepTimedOut', timeoutMs: 300_000 } })
  })

  it('of a workflow are thirty minutes when it does not say', async () => {
    const workflow = workflowOf({ steps: [toolStep('a', { timeoutMs: 3_600_000 })] })

    const run = await runOnTestClock(workflow, scriptedTools({ a: hangs }), { advance: [1_799_999, 1] })

    expect(run.error).toMatchObject({ reason: { _tag: 'WorkflowTimedOut', timeoutMs: 1_800_000 } })
    expect(run.durationMs).toBe(1_800_000)
  })

  it('of a workflow count what an earlier part of the run took', async () => {
    const workflow = workflowOf({ steps: [toolStep('a')], timeoutMs: 100 })

    const run = await runOnTestClock(workflow, scriptedTools({ a: hangs }), { advance: [40], workedMs: 60 })

    expect(run.status).toBe('timed_out')
  })

  it('of a workflow end it as timed out while it waits for an answer, and withdraw the question', async () => {
    let withdrawn = false
    const elicitation: ElicitationRequester = {
      requestElicitation: (_request, options) => {
        options?.signal?.addEventListener('abort', () => (withdrawn = true))
        return new Promise(() => {})
      },
    }
    const steps = [{ id: 'ask', type: 'elicitation', message: 'Go on?', schema: { type: 'object' } }] as const

    const run = await runOnTestClock(workflowOf({ steps, timeoutMs: 1000 }), scriptedTools({}), {
      advance: [1000],
      elicitation,
    })

    expect(run.status).toBe('timed_out')
    expect(run.error).toMatchObject({ reason: { _tag: 'WorkflowTimedOut', timeoutMs: 1000 } })
    expect(run.steps).toMatchObject([{ stepId: 'ask', status: 'cancelled' }])
    expect(withdrawn).toBe(true)
  })

  it('that are longer than any timer never come', async () => {
    const steps = [toolStep('a', { timeoutMs: Number.MAX_SAFE_INTEGER })]

    const run = await runToEnd(workflowOf({ steps, timeoutMs: 1e300 }), scriptedTools({ a: () => says('ok') }))

    expect(run.status).toBe('completed')
  })
})
