import { Cancelled, WorkflowFailed } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { workflowResult } from './workflow-result.js'
import type { WorkflowRun } from './workflow-run.js'

const run: WorkflowRun = { runId: 'r', workflow: 'wf', status: 'completed', steps: [], startedAt: 0, durationMs: 1 }

function failed(reason: WorkflowFailed['reason'], message: string): WorkflowRun {
  return { ...run, status: 'failed', error: new WorkflowFailed('wf', reason, message) }
}

describe('workflowResult', () => {
  it('CORE-M01 gives the output as structured content and as text, and no backend', () => {
    expect(workflowResult({ ...run, output: { ok: true } })).toEqual({
      content: [{ type: 'text', text: '{"ok":true}' }],
      structuredContent: { ok: true },
    })
  })

  it('sorts the keys of the text and escapes what HTML reads', () => {
    const { content } = workflowResult({ ...run, output: { b: '<&>', a: { d: 1, c: ['\u2028'] } } })

    expect(content).toEqual([{ type: 'text', text: '{"a":{"c":["\\u2028"],"d":1},"b":"\\u003c\\u0026\\u003e"}' }])
  })

  it('gives null and no structured content without an output', () => {
    expect(workflowResult(run)).toEqual({ content: [{ type: 'text', text: 'null' }] })
  })

  // A run has an outcome or an error: "nil result" and a second error field cannot be expressed.
  it('CORE-M06 makes every failure a result with isError', () => {
    const boom = failed({ _tag: 'StepFailed', stepId: 's' }, 'boom')
    const stepTimeout = failed({ _tag: 'StepTimedOut', stepId: 's', timeoutMs: 5 }, 'step s timed out after 5 ms')
    const runTimeout = failed({ _tag: 'WorkflowTimedOut', timeoutMs: 5 }, 'workflow timed out')
    const texts = [boom, stepTimeout, runTimeout].map((outcome) => workflowResult(outcome))

    expect(texts.map(({ content }) => content[0]?.['text'])).toEqual([
      'Workflow execution failed: boom',
      'Workflow execution timeout exceeded',
      'Workflow execution failed: workflow timed out',
    ])
    expect(texts.every(({ isError }) => isError === true)).toBe(true)
  })

  it('CORE-M06 says so when the output is no JSON', () => {
    const { content, isError } = workflowResult({ ...run, output: { big: 1n } })

    expect(isError).toBe(true)
    expect(content[0]?.['text']).toMatch(/^failed to marshal output: /)
  })

  it('CORE-M06 says so when the output goes in circles', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle

    expect(workflowResult({ ...run, output: circle }).content[0]?.['text']).toMatch(/^failed to marshal output: /)
  })

  it('makes a cancelled run a result with isError', () => {
    const cancelled = { ...run, status: 'cancelled', error: new Cancelled('workflow cancelled') } as const

    expect(workflowResult(cancelled).content[0]?.['text']).toBe('Workflow execution failed: workflow cancelled')
  })

  it('passes questions on', () => {
    const question = { resultType: 'input_required', requestState: 'x' } as const

    expect(workflowResult(question)).toBe(question)
  })
})
