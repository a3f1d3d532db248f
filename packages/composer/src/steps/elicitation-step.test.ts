import {
  ContentTooLarge,
  ElicitationCancelled,
  ElicitationDeclined,
  ElicitationNotConfigured,
  ElicitationTimeout,
  SchemaTooDeep,
  SchemaTooLarge,
} from '@vmcp/domain'
import type { ElicitationRequest, ElicitationRequester, ElicitationResult, ElicitationStep } from '@vmcp/domain'
import { describe, expect, it, vi } from 'vitest'
import { runOnTestClock, runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { says, scriptedTools, structured } from '../../test/scripted-tools.js'
import { workflowResult } from '../workflow-result.js'

const schema = { type: 'object', properties: { environment: { type: 'string' } } }

function confirm(more: Partial<ElicitationStep> = {}): ElicitationStep {
  return { id: 'confirm', type: 'elicitation', message: 'Go on?', schema, ...more }
}

function answers(result: ElicitationResult): ElicitationRequester & { readonly asked: ElicitationRequest[] } {
  const asked: ElicitationRequest[] = []
  return {
    asked,
    requestElicitation(request) {
      asked.push(request)
      return Promise.resolve(result)
    },
  }
}

describe('an elicitation step', () => {
  it('CORE-E01 leaves what the user sent for later steps', async () => {
    const tools = scriptedTools({ deploy: () => structured({ done: true }) })
    const steps = [
      confirm(),
      toolStep('deploy', {
        arguments: { env: '{{.steps.confirm.output.content.environment}}' },
        dependsOn: ['confirm'],
      }),
    ]
    const elicitation = answers({ action: 'accept', content: { environment: 'production' } })

    const run = await runToEnd(workflowOf({ steps }), tools, { config: { elicitation } })

    expect(tools.calls).toEqual([{ name: 'deploy', arguments: { env: 'production' } }])
    expect(run.steps[0]?.output).toEqual({ action: 'accept', content: { environment: 'production' } })
  })

  it('CORE-E02 fails on a decline, or goes on when onDecline continues', async () => {
    const elicitation = answers({ action: 'decline' })
    const runWith = (step: ElicitationStep) =>
      runToEnd(workflowOf({ steps: [step] }), scriptedTools({}), { config: { elicitation } })

    const plain = await runWith(confirm())
    const aborted = await runWith(confirm({ onDecline: { action: 'abort' } }))
    const continued = await runWith(confirm({ onDecline: { action: 'continue' } }))

    expect(plain.error?.cause).toBeInstanceOf(ElicitationDeclined)
    expect(aborted.error?.cause).toBeInstanceOf(ElicitationDeclined)
    expect(continued.status).toBe('completed')
    expect(continued.steps[0]?.output).toEqual({ action: 'decline' })
  })

  it('CORE-E03 fails on a cancel', async () => {
    const run = await runToEnd(workflowOf({ steps: [confirm()] }), scriptedTools({}), {
      config: { elicitation: answers({ action: 'cancel' }) },
    })

    expect(run.status).toBe('failed')
    expect(run.error?.cause).toBeInstanceOf(ElicitationCancelled)
  })

  // The reference completes the step and runs the others all the same; here skip_remaining does what it says.
  it('CORE-E03 completes the workflow without the steps that have not run on skip_remaining', async () => {
    const tools = scriptedTools({ deploy: () => structured({}) })
    const steps = [
      confirm({ onCancel: { action: 'skip_remaining' } }),
      toolStep('deploy', { dependsOn: ['confirm'], defaultResults: { done: false } }),
    ]

    const run = await runToEnd(workflowOf({ steps }), tools, {
      config: { elicitation: answers({ action: 'cancel' }) },
    })

    expect(run.status).toBe('completed')
    expect(tools.calls).toEqual([])
    expect(run.steps.map(({ status, output }) => [status, output])).toEqual([
      ['completed', { action: 'cancel', skipped: true }],
      ['skipped', { done: false }],
    ])
    expect(run.output).toEqual({ action: 'cancel', skipped: true })
  })

  it('lets steps that run already end on skip_remaining', async () => {
    const tools = scriptedTools({ beside: () => Promise.resolve(says('done')), never: () => says('never') })
    const steps = [
      toolStep('beside'),
      confirm({ onDecline: { action: 'skip_remaining' } }),
      toolStep('never', { dependsOn: ['beside', 'confirm'] }),
    ]

    const run = await runToEnd(workflowOf({ steps }), tools, {
      config: { elicitation: answers({ action: 'decline' }) },
    })

    expect(run.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'skipped'])
  })

  it('CORE-E04 fails, and is not timed out, when nobody answers in time', async () => {
    const elicitation: ElicitationRequester = { requestElicitation: () => new Promise(() => {}) }

    const run = await runOnTestClock(workflowOf({ steps: [confirm({ timeoutMs: 100 })] }), scriptedTools({}), {
      advance: [100],
      elicitation,
    })

    expect(run.status).toBe('failed')
    expect(run.steps[0]?.status).toBe('failed')
    expect(run.error?.cause).toBeInstanceOf(ElicitationTimeout)
    expect(workflowResult(run).content).toEqual([
      { type: 'text', text: 'Workflow execution failed: elicitation request timed out: step confirm' },
    ])
  })

  it('does what onCancel says when nobody answers in time', async () => {
    const elicitation: ElicitationRequester = { requestElicitation: () => new Promise(() => {}) }
    const runWith = (step: ElicitationStep) =>
      runOnTestClock(workflowOf({ steps: [step] }), scriptedTools({}), { advance: [100], elicitation })

    const aborted = await runWith(confirm({ timeoutMs: 100, onCancel: { action: 'abort' } }))
    const continued = await runWith(confirm({ timeoutMs: 100, onCancel: { action: 'continue' } }))

    expect(aborted.error?.cause).toBeInstanceOf(ElicitationCancelled)
    expect(continued.output).toEqual({ action: 'timeout' })
  })

  it('treats a requester that reports a deadline as one that nobody answered', async () => {
    const elicitation: ElicitationRequester = {
      requestElicitation: () => Promise.reject(new ElicitationTimeout('client')),
    }

    const run = await runToEnd(workflowOf({ steps: [confirm()] }), scriptedTools({}), { config: { elicitation } })

    expect(run.error?.cause).toBeInstanceOf(ElicitationTimeout)
    expect(run.error?.cause).toMatchObject({ stepId: 'confirm' })
  })

  // There is one handler, always there; without a requester it answers as without a handler.
  it('CORE-E05 CORE-E06 fails when nobody can be asked', async () => {
    const run = await runToEnd(workflowOf({ steps: [confirm({ id: 'step-1' })] }), scriptedTools({}))

    expect(run.error?.cause).toBeInstanceOf(ElicitationNotConfigured)
    expect(run.error?.message).toContain('step-1')
  })

  it('asks the client of the call rather than the configured requester', async () => {
    const own = answers({ action: 'accept', content: {} })
    const configured = answers({ action: 'decline' })
    const client = { capabilities: {}, answers: 'push', elicitation: own, wantsProgress: false, notify() {} } as const

    const run = await runToEnd(workflowOf({ steps: [confirm()] }), scriptedTools({}), {
      config: { elicitation: configured },
      options: { client },
    })

    expect(run.status).toBe('completed')
    expect(configured.asked).toEqual([])
  })

  it('does not ask the configured requester for a client that cannot be asked', async () => {
    const configured = answers({ action: 'accept', content: {} })
    const client = { capabilities: {}, answers: 'push', wantsProgress: false, notify() {} } as const

    const run = await runToEnd(workflowOf({ steps: [confirm()] }), scriptedTools({}), {
      config: { elicitation: configured },
      options: { client },
    })

    expect(run.error?.cause).toBeInstanceOf(ElicitationNotConfigured)
    expect(configured.asked).toEqual([])
  })

  it('CORE-E13 fails with what the requester failed with', async () => {
    const cause = new Error('network error')

    const run = await runToEnd(workflowOf({ steps: [confirm()] }), scriptedTools({}), {
      config: { elicitation: { requestElicitation: () => Promise.reject(cause) } },
    })

    expect(run.error?.message).toBe('elicitation request failed for step confirm: network error')
    expect(run.error?.cause).toBe(cause)
  })

  it('CORE-E14 expands the message and leaves the definition as it is', async () => {
    const elicitation = answers({ action: 'accept', content: {} })
    const step = confirm({ message: 'Deploy {{.params.repo}} to {{.params.env}}?' })

    await runToEnd(workflowOf({ steps: [step] }), scriptedTools({}), {
      config: { elicitation },
      arguments: { repo: 'acme/widget', env: 'production' },
    })

    expect(elicitation.asked).toEqual([{ message: 'Deploy acme/widget to production?', requestedSchema: schema }])
    expect(step.message).toBe('Deploy {{.params.repo}} to {{.params.env}}?')
  })

  it('CORE-E15 stands between two tools', async () => {
    const tools = scriptedTools({ fetch_data: () => says('fetched_data'), process: () => says('processed') })
    const steps = [
      toolStep('fetch_data'),
      confirm({ dependsOn: ['fetch_data'] }),
      toolStep('process', { dependsOn: ['confirm'], arguments: { data: '{{.steps.fetch_data.output.text}}' } }),
    ]

    const run = await runToEnd(workflowOf({ steps }), tools, {
      config: { elicitation: answers({ action: 'accept', content: { proceed: true } }) },
    })

    expect(tools.calls[1]?.arguments).toEqual({ data: 'fetched_data' })
    expect(run.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  })

  it('keeps the errors of its limits as causes', async () => {
    const tooLarge = confirm({ schema: { type: 'object', description: 'x'.repeat(200 * 1024) } })
    const accepted = answers({ action: 'accept', content: { x: 'x'.repeat(2 * 1024 * 1024) } })

    const schemaRun = await runToEnd(workflowOf({ steps: [tooLarge] }), scriptedTools({}), {
      config: { elicitation: accepted },
    })
    const contentRun = await runToEnd(workflowOf({ steps: [confirm()] }), scriptedTools({}), {
      config: { elicitation: accepted },
    })

    expect(schemaRun.error?.cause).toBeInstanceOf(SchemaTooLarge)
    expect(contentRun.error?.cause).toBeInstanceOf(ContentTooLarge)
    expect(accepted.asked).toHaveLength(1)
  })

  it('CORE-E09 refuses a form that is nested too deep', async () => {
    const deep = Array.from({ length: 20 }).reduce<object>((inner) => ({ properties: { inner } }), { type: 'string' })

    const run = await runToEnd(workflowOf({ steps: [confirm({ schema: { ...deep } })] }), scriptedTools({}), {
      config: { elicitation: answers({ action: 'accept' }) },
    })

    expect(run.error?.cause).toBeInstanceOf(SchemaTooDeep)
  })

  it('warns of content that is not an object and treats it as absent', async () => {
    const warn = vi.fn()

    const run = await runToEnd(workflowOf({ steps: [confirm()] }), scriptedTools({}), {
      config: {
        elicitation: answers({ action: 'accept', content: 'not-a-map' }),
        logger: { debug() {}, info() {}, warn, error() {} },
      },
    })

    expect(run.steps[0]?.output).toEqual({ action: 'accept', content: null })
    expect(warn).toHaveBeenCalledOnce()
  })
})
