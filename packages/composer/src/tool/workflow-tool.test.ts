import { describe, expect, it } from 'vitest'
import { toolStep, workflowOf } from '../../test/run-for-test.js'
import { workflowTool } from './workflow-tool.js'
import { requiresElicitation } from './tool-references.js'

const ask = { id: 'ask', type: 'elicitation', message: 'm', schema: { type: 'object' } } as const

describe('workflowTool', () => {
  it('CORE-M13 advertises the output as a schema without templates and defaults', () => {
    const workflow = workflowOf({
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
      steps: [ask],
      output: {
        properties: { result: { type: 'string', description: 'The result', value: '{{.x}}', default: 'none' } },
        required: ['result'],
      },
    })

    expect(workflowTool(workflow, () => undefined)).toEqual({
      type: 'tool',
      tool: {
        name: 'wf',
        description: 'A workflow',
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
        outputSchema: {
          type: 'object',
          properties: { result: { type: 'string', description: 'The result' } },
          required: ['result'],
        },
      },
    })
  })

  // The reference leaves the schema out; the protocol asks for one.
  it('takes any object when there are no parameters, and has no output schema without an output', () => {
    const advertised = workflowTool(workflowOf({ steps: [ask] }), () => undefined)

    expect(advertised).toEqual({
      type: 'tool',
      tool: { name: 'wf', description: 'A workflow', inputSchema: { type: 'object' } },
    })
  })

  it('derives hints from the tools of all steps, those inside loops included', () => {
    const steps = [toolStep('a'), { id: 'loop', type: 'forEach', collection: '[]', step: { tool: 'b' } } as const]
    const hints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
    const advertised = workflowTool(workflowOf({ steps }), (tool) =>
      tool === 'a' ? hints : { ...hints, destructiveHint: true },
    )

    expect(advertised).toMatchObject({ tool: { annotations: { ...hints, destructiveHint: true } } })
  })

  it('CORE-M05 CORE-M09 refuses a workflow whose hint looks safer than its steps', () => {
    const workflow = workflowOf({ steps: [toolStep('writer')], annotations: { readOnlyHint: true } })

    expect(workflowTool(workflow, () => undefined)).toEqual({
      type: 'contradiction',
      hint: 'readOnlyHint',
      tools: ['writer'],
    })
  })
})

describe('requiresElicitation', () => {
  it('is true for a workflow that asks', () => {
    expect(requiresElicitation(workflowOf({ steps: [toolStep('a'), ask] }))).toBe(true)
    expect(requiresElicitation(workflowOf({ steps: [toolStep('a')] }))).toBe(false)
  })
})
