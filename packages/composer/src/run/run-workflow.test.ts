import { BackendUnavailable, WorkflowFailed } from '@vmcp/domain'
import type { Workflow } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { scriptedTools, structured } from '../../test/scripted-tools.js'

describe('a run of tool steps', () => {
  const createAndLabel: Workflow = workflowOf({
    steps: [
      toolStep('create_issue', { arguments: { title: '{{.params.title}}', body: 'Test body' } }),
      toolStep('add_label', {
        arguments: { issue: '{{.steps.create_issue.output.number}}' },
        dependsOn: ['create_issue'],
      }),
    ],
  })

  // An argument that is exactly one expression keeps its type: 123, where the reference gives the text "123".
  it('CORE-W01 hands the output of a step to the next and records both', async () => {
    const tools = scriptedTools({ create_issue: () => structured({ number: 123 }), add_label: () => structured({}) })

    const run = await runToEnd(createAndLabel, tools, { arguments: { title: 'Test Issue' } })

    expect(tools.calls).toEqual([
      { name: 'create_issue', arguments: { title: 'Test Issue', body: 'Test body' } },
      { name: 'add_label', arguments: { issue: 123 } },
    ])
    expect(run.status).toBe('completed')
    expect(run.steps.map(({ stepId, status }) => [stepId, status])).toEqual([
      ['create_issue', 'completed'],
      ['add_label', 'completed'],
    ])
  })

  it('CORE-W02 fails with the step when its tool rejects, and keeps the cause', async () => {
    const cause = new BackendUnavailable('be1', 'unreachable')
    const tools = scriptedTools({ a: () => Promise.reject(cause) })

    const run = await runToEnd(workflowOf({ steps: [toolStep('a')] }), tools)

    expect(run.status).toBe('failed')
    expect(run.steps[0]?.status).toBe('failed')
    expect(run.error).toBeInstanceOf(WorkflowFailed)
    expect(run.error?.message).toBe('tool call failed: tool a in step a: backend unavailable: be1 (unreachable)')
    expect(run.error?.cause).toBe(cause)
    expect(run.error).toMatchObject({ workflow: 'wf', reason: { _tag: 'StepFailed', stepId: 'a' } })
  })

  it('fails a step whose tool nobody offers, without a call', async () => {
    const tools = scriptedTools({})

    const run = await runToEnd(workflowOf({ steps: [toolStep('a', { tool: 'be1.gone' })] }), tools)

    expect(run.error?.message).toBe('failed to route tool be1.gone in step a: not found: tool "be1.gone"')
    expect(tools.calls).toEqual([])
  })

  it('takes a question of a backend tool as an error of the step', async () => {
    const tools = scriptedTools({ a: () => ({ resultType: 'input_required', requestState: 'x' }) })

    const run = await runToEnd(workflowOf({ steps: [toolStep('a')] }), tools)

    expect(run.error?.message).toContain('the tool asks for input')
  })

  it('CORE-W12 leaves arguments for a hidden tool as they are', async () => {
    const tools = scriptedTools({ a: () => structured({}) })

    await runToEnd(workflowOf({ steps: [toolStep('a', { arguments: { value: 'hello', count: '42' } })] }), tools)

    expect(tools.calls[0]?.arguments).toEqual({ value: 'hello', count: '42' })
  })

  it('CORE-W11 fits an argument to the input schema of an advertised tool', async () => {
    const tools = scriptedTools(
      { count_items: () => structured({}) },
      { count_items: { type: 'object', properties: { limit: { type: 'integer' } } } },
    )
    const workflow = workflowOf({ steps: [toolStep('count_items', { arguments: { limit: '{{.params.n}}' } })] })

    await runToEnd(workflow, tools, { arguments: { n: '42' } })

    expect(tools.calls[0]?.arguments).toEqual({ limit: 42 })
  })

  it('CORE-W27 fits templates to a typed schema, nested values included', async () => {
    const tools = scriptedTools(
      { a: () => structured({}) },
      {
        a: {
          type: 'object',
          properties: {
            s: { type: 'string' },
            i: { type: 'integer' },
            n: { type: 'number' },
            b: { type: 'boolean' },
            config: {
              type: 'object',
              properties: { timeout: { type: 'integer' }, enabled: { type: 'boolean' }, ratio: { type: 'number' } },
            },
            ids: { type: 'array', items: { type: 'integer' } },
          },
        },
      },
    )
    const given = {
      s: '{{.params.s}}',
      i: 'x',
      n: '{{.params.n}}',
      b: '{{.params.b}}',
      config: { timeout: '30', enabled: '{{.params.b}}', ratio: '{{.params.n}}' },
      ids: ['1', '2', '3'],
    }
    const workflow = workflowOf({ steps: [toolStep('a', { arguments: { ...given, i: '{{.params.i}}' } })] })

    await runToEnd(workflow, tools, { arguments: { s: 'hello', i: 42, n: 3.14, b: true } })

    expect(tools.calls[0]?.arguments).toEqual({
      s: 'hello',
      i: 42,
      n: 3.14,
      b: true,
      config: { timeout: 30, enabled: true, ratio: 3.14 },
      ids: [1, 2, 3],
    })
  })

  it('CORE-W31 sends static numbers and booleans as they are', async () => {
    const tools = scriptedTools({ a: () => structured({}) })

    await runToEnd(workflowOf({ steps: [toolStep('a', { arguments: { count: 42, enabled: true } })] }), tools)

    expect(tools.calls[0]?.arguments).toEqual({ count: 42, enabled: true })
  })

  it('CORE-W13 reads structured content as output, and resources as content', async () => {
    const resource = '{"spdxVersion":"SPDX-2.3","name":"mypackage"}'
    const tools = scriptedTools({
      fetch: () => ({
        content: [
          { type: 'text', text: 'fetched' },
          { type: 'resource', resource: { uri: 'sbom:1', text: resource } },
        ],
        structuredContent: { contentType: 'sbom', format: 'spdx', size: 5347 },
      }),
      store: () => structured({}),
    })
    const workflow = workflowOf({
      steps: [
        toolStep('fetch'),
        toolStep('store', {
          arguments: { sbom: '{{.steps.fetch.content.resource}}', format: '{{.steps.fetch.output.format}}' },
          dependsOn: ['fetch'],
        }),
      ],
    })

    await runToEnd(workflow, tools)

    expect(tools.calls[1]?.arguments).toEqual({ sbom: resource, format: 'spdx' })
  })

  it('CORE-W22 tells a step the id of its run and that it runs', async () => {
    const tools = scriptedTools({ a: () => structured({}) })
    const workflow = workflowOf({
      steps: [toolStep('a', { arguments: { status: '{{.workflow.status}}', id: '{{.workflow.id}}' } })],
    })

    const run = await runToEnd(workflow, tools)

    expect(tools.calls[0]?.arguments).toEqual({ status: 'running', id: run.runId })
  })

  it('CORE-W23 names no argument in the error of a failed tool', async () => {
    const tools = scriptedTools({ login: () => Promise.reject(new BackendUnavailable('be1', 'closed')) })
    const workflow = workflowOf({
      steps: [toolStep('login', { arguments: { username: '{{.params.username}}', password: '{{.params.password}}' } })],
    })

    const run = await runToEnd(workflow, tools, { arguments: { username: 'admin', password: 'supersecret123' } })

    expect(JSON.stringify(run)).not.toContain('supersecret123')
    expect(run.error?.message).not.toContain('password')
  })
})
