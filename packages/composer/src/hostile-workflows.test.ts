import { InternalError } from '@vmcp/domain'
import type { JsonObject, Workflow } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { runToEnd, toolStep, workflowOf } from '../test/run-for-test.js'
import { fails, says, scriptedTools, structured } from '../test/scripted-tools.js'
import { createComposer } from './composer.js'
import { planWorkflow } from './plan-workflow.js'
import { validateWorkflow } from './validate/validate-workflow.js'

function nested(levels: number): JsonObject {
  let value: JsonObject = {}
  for (let level = 0; level < levels; level++) value = { inner: value }
  return value
}

function cycle(): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

describe('a workflow with hostile names', () => {
  it('runs with any step id, and hands its output on', async () => {
    for (const id of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'ключ',
      'a b',
      'a.b',
      '💥',
      '0',
      'a\nb',
    ]) {
      const workflow = workflowOf({
        steps: [
          toolStep(id, { tool: 'a' }),
          toolStep('reader', {
            tool: 'b',
            arguments: { x: `{{index .steps ${JSON.stringify(id)} "output" "value"}}` },
            dependsOn: [id],
          }),
        ],
      })
      const tools = scriptedTools({ a: () => structured({ value: 7 }), b: () => says('ok') })

      expect(validateWorkflow(workflow)).toEqual([])
      expect((await runToEnd(workflow, tools)).status).toBe('completed')
      expect(tools.calls[1]?.arguments).toEqual({ x: 7 })
      expect(({} as Record<string, unknown>)['value']).toBeUndefined()
    }
  })

  it('does not take members of objects for arguments, steps or output properties', async () => {
    const given = JSON.parse('{"__proto__":{"polluted":true},"constructor":"c"}') as JsonObject
    const workflow = workflowOf({
      parameters: { type: 'object', properties: { ok: { type: 'boolean', default: true } } },
      steps: [toolStep('a', { arguments: { own: '{{.params.constructor}}', none: '{{.params.toString}}' } })],
    })
    const tools = scriptedTools({ a: () => structured({}) })

    await runToEnd(workflow, tools, { arguments: given })

    expect(tools.calls[0]?.arguments).toEqual({ own: 'c', none: '<no value>' })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('misses a required argument that every object inherits', async () => {
    const workflow = workflowOf({
      parameters: { type: 'object', required: ['constructor'] },
      steps: [toolStep('a')],
    })

    const run = await runToEnd(workflow, scriptedTools({ a: () => structured({}) }), { arguments: {} })

    expect(run.error).toMatchObject({ reason: { _tag: 'InvalidArguments', field: 'constructor', rule: 'required' } })
  })
})

describe('a workflow with hostile parameters', () => {
  const run = (parameters: JsonObject, given: unknown) =>
    runToEnd(workflowOf({ parameters, steps: [toolStep('a')] }), scriptedTools({ a: () => structured({}) }), {
      arguments: given as JsonObject,
    })

  it('refuses arguments that are no data, without a call', async () => {
    const throwing = {
      get x(): string {
        throw new Error('from a getter')
      },
    }
    for (const given of [{ f: () => {} }, throwing, { s: Symbol('s') }]) {
      const ended = await run({ type: 'object' }, given)
      expect(ended.error).toMatchObject({ reason: { _tag: 'InvalidArguments' } })
    }
  })

  it('ends when a schema refers to itself without end, and when the arguments do', async () => {
    const list = { type: 'object', properties: { self: { $ref: '#' } } }
    for (const [parameters, given] of [
      [{ $ref: '#' }, {}],
      [list, cycle()],
    ] as const) {
      expect((await run(parameters, given)).error).toMatchObject({ reason: { _tag: 'InvalidArguments' } })
    }
  })

  it('refuses a schema that is checked asynchronously, when it loads and when it runs', async () => {
    const parameters = { $async: true, type: 'object', required: ['x'] }

    expect(validateWorkflow(workflowOf({ parameters, steps: [toolStep('a')] }))).toMatchObject([{ path: 'parameters' }])
    expect((await run(parameters, {})).error).toMatchObject({ reason: { _tag: 'InvalidArguments' } })
  })

  it('takes ten megabytes', async () => {
    const parameters = { type: 'object', properties: { text: { type: 'string', minLength: 1 } } }

    expect((await run(parameters, { text: 'x'.repeat(10_000_000) })).status).toBe('completed')
  })
})

describe('a workflow that nests without end', () => {
  it('is refused when it loads, and can be planned', () => {
    for (const value of [nested(20_000), cycle() as JsonObject]) {
      const places: readonly Partial<Workflow>[] = [
        { steps: [toolStep('a', { arguments: value })] },
        { steps: [toolStep('a', { defaultResults: value })] },
        { steps: [{ id: 'a', type: 'elicitation', message: 'm', schema: { type: 'object', default: value } }] },
        { parameters: { type: 'object', default: value } },
        {
          output: {
            properties: { p: { type: 'object', description: 'd', properties: value as never } },
          },
        },
      ]
      for (const place of places) {
        const workflow = workflowOf({ steps: [toolStep('a')], ...place })

        expect(validateWorkflow(workflow)).toMatchObject([{ message: expect.stringContaining('deep') as string }])
      }
    }
    expect(planWorkflow(workflowOf({ steps: [toolStep('a', { arguments: nested(50) })] })).warnings).toEqual([])
  })
})

describe('a workflow that asks for much', () => {
  it('runs a hundred steps', async () => {
    const chain = Array.from({ length: 100 }, (_, index) =>
      toolStep(`s${index}`, { tool: 'a', dependsOn: index === 0 ? [] : [`s${index - 1}`] }),
    )

    const run = await runToEnd(workflowOf({ steps: chain }), scriptedTools({ a: () => structured({}) }))

    expect(run.steps.every(({ status }) => status === 'completed')).toBe(true)
  })

  it('runs loops of a thousand items beside each other, and counts what failed', async () => {
    const collection = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index))
    const steps = Array.from({ length: 20 }, (_, index) => ({
      id: `loop${index}`,
      type: 'forEach' as const,
      collection,
      maxIterations: 1000,
      maxParallel: 50,
      onError: { action: 'continue' as const },
      step: { tool: 'a', arguments: { n: '{{.forEach.item}}' } },
    }))
    const tools = scriptedTools({ a: ({ n }) => (Number(n) % 2 === 0 ? says('even') : fails('odd')) })

    const run = await runToEnd(workflowOf({ steps }), tools)

    expect(tools.calls).toHaveLength(20_000)
    expect(run.steps.map(({ output }) => (output as { failed: number }).failed)).toEqual(steps.map(() => 500))
  })
})

describe('a workflow that nobody validated', () => {
  it('fails, or is refused as a defect: nothing but our errors leaves the composer', async () => {
    const step = { id: 'a', type: 'tool', tool: 'a' }
    const workflows: readonly unknown[] = [
      {},
      { steps: null },
      { steps: [null] },
      { steps: [{ id: 'a' }] },
      { steps: [{ id: 'a', type: 'other' }] },
      { steps: [{ ...step, arguments: { x: '{{' } }] },
      { steps: [{ ...step, arguments: cycle() }] },
      { steps: [{ ...step, condition: 7 }] },
      { steps: [{ ...step, dependsOn: 7 }] },
      { steps: [{ ...step, onError: { action: 'retry' } }] },
      { steps: [{ id: 'a', type: 'forEach', collection: '[1]' }] },
      { steps: [{ id: 'a', type: 'elicitation' }] },
      { steps: [step], output: {} },
      { steps: [step], output: { properties: { p: { type: 'object' } } } },
      { steps: [step], parameters: 7 },
    ]
    for (const parts of workflows) {
      const workflow = { name: 'wf', description: 'd', ...(parts as object) } as Workflow
      const tools = scriptedTools({ a: () => structured({}) })

      const outcome = await createComposer({ elicitation: { requestElicitation: () => Promise.reject(new Error()) } })
        .run(null, { workflow, tools })
        .catch((error: unknown) => error)

      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(InternalError)
      else expect(outcome).toHaveProperty('status')
    }
  })
})
