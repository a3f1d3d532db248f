import type { Workflow, WorkflowStep } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { toolStep, workflowOf } from '../../test/run-for-test.js'
import { validateWorkflow } from './validate-workflow.js'

/** What is wrong, as `path: message`. */
function problemsOf(workflow: unknown): readonly string[] {
  return validateWorkflow(workflow as Workflow).map(({ path, message }) => `${path}: ${message}`)
}

function problemsOfSteps(...steps: unknown[]): readonly string[] {
  return problemsOf(workflowOf({ steps: steps as WorkflowStep[] }))
}

describe('validateWorkflow', () => {
  it('finds nothing wrong in a good workflow', () => {
    expect(problemsOfSteps(toolStep('a'), toolStep('b', { dependsOn: ['a'] }))).toEqual([])
  })

  it('CORE-W20 refuses what is not a workflow', () => {
    expect(problemsOf(null)).toEqual([': workflow definition is nil'])
    expect(problemsOf({ name: '', description: 'd', steps: [toolStep('a')] })).toEqual([
      'name: workflow name is required',
    ])
    expect(problemsOf({ name: 'wf', description: 'd', steps: [] })).toEqual([
      'steps: workflow must have at least one step',
    ])
    expect(problemsOf({ name: 'wf', description: '', steps: [toolStep('a')] })).toEqual([
      'description: description is required',
    ])
  })

  it('CORE-W20 allows a hundred steps', () => {
    const steps = (count: number) => Array.from({ length: count }, (_, index) => toolStep(`s${index}`))

    expect(problemsOfSteps(...steps(100))).toEqual([])
    expect(problemsOfSteps(...steps(101))).toEqual(['steps: too many steps: 101 (max 100)'])
    expect(problemsOfSteps(...steps(150))).toEqual(['steps: too many steps: 150 (max 100)'])
  })

  it('CORE-W20 CORE-V02 finds equal ids and dependencies on nothing', () => {
    expect(problemsOfSteps(toolStep('a'), toolStep('a'))).toEqual(['steps[1].id: duplicate step ID: a'])
    expect(problemsOfSteps(toolStep('a', { dependsOn: ['unknown'] }))).toEqual([
      'steps[0].dependsOn: step a depends on non-existent step unknown',
    ])
  })

  it('CORE-W16 finds cycles of one, two and three steps', () => {
    const cycle = 'steps: circular dependency detected involving step a'

    expect(problemsOfSteps(toolStep('a', { dependsOn: ['a'] }))).toEqual([cycle])
    expect(problemsOfSteps(toolStep('a', { dependsOn: ['b'] }), toolStep('b', { dependsOn: ['a'] }))).toEqual([cycle])
    expect(
      problemsOfSteps(
        toolStep('behind', { dependsOn: ['a'] }),
        toolStep('a', { dependsOn: ['b'] }),
        toolStep('b', { dependsOn: ['c'] }),
        toolStep('c', { dependsOn: ['a'] }),
      ),
    ).toEqual([cycle])
  })

  it('tells first what is of the wrong kind, such as the nulls that YAML makes', () => {
    expect(problemsOf({ name: null, description: 'd', steps: [null, { ...toolStep('a'), dependsOn: 'b' }] })).toEqual([
      'name: must be string',
      'steps[0]: must be object',
      'steps[1].dependsOn: must be array',
    ])
  })

  it('reports all problems and not the first only', () => {
    expect(
      problemsOf({
        name: '',
        description: '',
        steps: [{ id: '', type: 'tool', tool: '' }, toolStep('b', { tool: 'a b' })],
      }),
    ).toEqual([
      'name: workflow name is required',
      'description: description is required',
      'steps[0].id: step ID is required',
      'steps[0].tool: tool name is required for tool step ',
      'steps[1].tool: must be a valid tool name',
    ])
  })

  it('CORE-V02 refuses special characters in a tool reference and types that there are not', () => {
    expect(problemsOfSteps(toolStep('a', { tool: 'rm -rf /' }))).toEqual(['steps[0].tool: must be a valid tool name'])
    expect(problemsOfSteps({ id: 'a', type: 'invalid' })).toEqual([
      'steps[0].type: invalid step type "invalid" for step a: must be one of: tool, elicitation, forEach',
    ])
  })

  it('CORE-V03 refuses a retry without a count and an action that there is not', () => {
    expect(problemsOfSteps(toolStep('a', { onError: { action: 'retry', retryCount: 0 } }))).toEqual([
      'steps[0].onError.retryCount: retryCount must be at least 1 when action is retry',
    ])
    expect(problemsOfSteps({ ...toolStep('a'), onError: { action: 'invalid' } })).toEqual([
      'steps[0].onError.action: must be one of: abort, continue, retry',
    ])
  })

  it('names line and column of a template that does not parse', () => {
    const [problem = ''] = problemsOfSteps(toolStep('a', { arguments: { title: 'x\n{{.params.x' } }))

    expect(problem).toMatch(/^steps\[0\]\.arguments\.title: invalid template: .* \(line 2, column \d+\)$/)
  })

  it('finds such templates in nested arguments, conditions, messages and collections', () => {
    const bad = '{{.params.x'
    const found = problemsOfSteps(
      toolStep('a', { condition: bad, arguments: { list: [{ deep: bad }] } }),
      { id: 'b', type: 'elicitation', message: bad, schema: { type: 'object' } },
      { id: 'c', type: 'forEach', collection: bad, step: { tool: 't', arguments: { x: bad } } },
    ).map((problem) => problem.slice(0, problem.indexOf(':')))

    expect(found).toEqual([
      'steps[0].condition',
      'steps[0].arguments.list[0].deep',
      'steps[1].message',
      'steps[2].collection',
      'steps[2].step.arguments.x',
    ])
  })

  it('checks the parameters as a schema of an object', () => {
    const withParameters = (parameters: unknown) =>
      problemsOf({ ...workflowOf({ steps: [toolStep('a')] }), parameters })

    expect(withParameters({})).toEqual([])
    expect(withParameters({ type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } })).toEqual([])
    expect(withParameters({ properties: {} })).toEqual([
      "parameters: must have 'type' field (should be 'object' for JSON Schema)",
    ])
    expect(withParameters({ type: 1 })).toEqual(["parameters: 'type' field must be a string"])
    expect(withParameters({ type: 'string' })).toEqual(["parameters: 'type' must be 'object' (got 'string')"])
    expect(withParameters({ type: 'object', properties: [] })).toEqual(["parameters: 'properties' must be an object"])
    expect(withParameters({ type: 'object', required: 'a' })).toEqual(["parameters: 'required' must be an array"])
    expect(withParameters({ type: 'object', properties: { a: { type: 'text' } } })[0]).toMatch(
      /^parameters: invalid JSON Schema: /,
    )
    expect(withParameters({ type: 'object', $ref: 'https://example.com/schema' })[0]).toMatch(
      /^parameters: invalid JSON Schema: /,
    )
  })

  it('accepts parameters of an older revision of JSON Schema', () => {
    for (const $schema of ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2019-09/schema']) {
      const parameters = { $schema, type: 'object', properties: { a: { type: 'string' } } }

      expect(problemsOf(workflowOf({ parameters, steps: [toolStep('a')] }))).toEqual([])
    }
  })
})

describe('validateWorkflow of an elicitation step', () => {
  it('asks for message and schema, and for actions that there are', () => {
    expect(problemsOfSteps({ id: 'ask', type: 'elicitation', onDecline: { action: 'retry' }, onCancel: {} })).toEqual([
      'steps[0].message: elicitation message is required for step ask',
      'steps[0].schema: schema is required for elicitation steps: step ask',
      'steps[0].onDecline.action: must be one of: abort, continue, skip_remaining',
      'steps[0].onCancel.action: is required',
    ])
  })

  it('refuses a schema that does not load', () => {
    expect(problemsOfSteps({ id: 'ask', type: 'elicitation', message: 'm', schema: { type: 'form' } })[0]).toMatch(
      /^steps\[0\]\.schema: invalid JSON Schema: /,
    )
  })
})

describe('validateWorkflow of a forEach step', () => {
  const good = { id: 'loop', type: 'forEach', collection: '[]', step: { tool: 't' } }

  it('CORE-F11 finds everything that a loop cannot be', () => {
    expect(problemsOfSteps(good)).toEqual([])
    expect(problemsOfSteps({ ...good, collection: '' })[0]).toContain('collection is required')
    expect(problemsOfSteps({ ...good, step: undefined })[0]).toContain('step is required')
    expect(problemsOfSteps({ ...good, tool: 't' })[0]).toContain("must not have 'tool' field")
    expect(problemsOfSteps({ ...good, message: 'm' })[0]).toContain("must not have 'message' field")
    expect(problemsOfSteps({ ...good, step: { type: 'elicitation', tool: 't' } })[0]).toContain(
      "step.type must be 'tool'",
    )
    expect(problemsOfSteps({ ...good, itemVar: '1x' })[0]).toContain('itemVar must be a valid Go identifier')
    expect(problemsOfSteps({ ...good, itemVar: 'index' })[0]).toContain("cannot be 'index'")
    expect(problemsOfSteps({ ...good, maxIterations: 1001 })[0]).toContain('maxIterations must be <= 1000')
    expect(problemsOfSteps({ ...good, maxParallel: 51 })[0]).toContain('maxParallel must be <= 50')
    expect(problemsOfSteps({ ...good, step: {} })[0]).toContain('step.tool is required')
  })
})

describe('validateWorkflow of defaultResults', () => {
  const reader = (field: string) =>
    toolStep('step2', { arguments: { x: `{{.steps.step1.${field}}}` }, dependsOn: ['step1'] })

  it('CORE-V01 asks for a default for each output field that others read of a step that may be skipped', () => {
    const conditional = toolStep('step1', { condition: '{{.params.go}}' })

    expect(problemsOfSteps(conditional, reader('output.data'))).toEqual([
      'steps[0].defaultResults[data]: is required: step "step1" may be skipped and field "data" is referenced by argument "x" of step "step2"',
    ])
    expect(problemsOfSteps({ ...conditional, defaultResults: { data: '' } }, reader('output.data'))).toEqual([])
    expect(problemsOfSteps(conditional, reader('status'))).toEqual([])
    expect(
      problemsOfSteps(toolStep('step1', { onError: { action: 'retry', retryCount: 1 } }), reader('output.data')),
    ).toEqual([])
  })

  it('CORE-V01 asks for none where ToolHive does not see the reading, so that its files load', () => {
    const conditional = toolStep('step1', { condition: '{{.params.go}}' })
    const unseen = [
      '{{$.steps.step1.output.data}}',
      '{{index .steps.step1.output "data"}}',
      '{{index .steps "step1" "output" "data"}}',
      '{{with .steps.step1.output}}{{.data}}{{end}}',
      '{{(index .steps "step1").output.data}}',
    ]

    for (const source of unseen) {
      const step = toolStep('step2', { arguments: { x: source }, dependsOn: ['step1'] })
      expect(problemsOfSteps(conditional, step)).toEqual([])
    }
    const nested = toolStep('step2', { arguments: { x: ['{{.steps.step1.output.data}}'] }, dependsOn: ['step1'] })
    expect(problemsOfSteps(conditional, nested)).toEqual([])
  })

  it('asks for the field that an index starts from', () => {
    const reads = toolStep('step2', { arguments: { x: '{{index .steps.step1.output.map "k"}}' }, dependsOn: ['step1'] })

    expect(problemsOfSteps(toolStep('step1', { condition: '{{.params.go}}' }), reads)).toMatchObject([
      expect.stringContaining('defaultResults[map]'),
    ])
  })

  it('asks for them when the step continues after an error, and when the output reads them', () => {
    const workflow = workflowOf({
      steps: [toolStep('step1', { onError: { action: 'continue' } })],
      output: {
        properties: {
          outer: {
            type: 'object',
            description: 'd',
            properties: { x: { type: 'string', description: 'd', value: '{{.steps.step1.output.data.deep}}' } },
          },
        },
      },
    })

    expect(problemsOf(workflow)).toEqual([
      'steps[0].defaultResults[data]: is required: step "step1" may be skipped and field "data" is referenced by output.properties.outer.properties.x',
    ])
  })
})

describe('validateWorkflow of the output', () => {
  const value = { type: 'string', description: 'd', value: 'x' }
  const problemsOfOutput = (output: unknown) => problemsOf({ ...workflowOf({ steps: [toolStep('a')] }), output })
  const nested = (depth: number): object =>
    depth === 0 ? value : { type: 'object', description: 'd', properties: { x: nested(depth - 1) } }

  it('CORE-O12 finds what the output cannot be', () => {
    const first = (property: unknown) => problemsOfOutput({ properties: { p: property } })[0]

    expect(problemsOfOutput({ properties: {} })[0]).toContain('output properties cannot be empty')
    expect(problemsOfOutput({ properties: { p: value }, required: ['q'] })[0]).toContain('does not exist in properties')
    expect(first({ description: 'd', value: 'x' })).toContain("missing required field 'type'")
    expect(first({ ...value, type: 'text' })).toContain('has invalid type')
    expect(first({ type: 'string', value: 'x' })).toContain("missing required field 'description'")
    expect(first({ ...value, type: 'object', properties: { p: value } })).toContain(
      "cannot have both 'value' and 'properties'",
    )
    expect(first({ type: 'object', description: 'd' })).toContain("must have either 'value' or 'properties'")
    expect(first({ type: 'array', description: 'd', properties: { p: value } })).toContain("must have 'value' field")
  })

  it('CORE-O12 allows ten levels of nesting', () => {
    expect(problemsOfOutput({ properties: { p: nested(10) } })).toEqual([])
    expect(problemsOfOutput({ properties: { p: nested(11) } })[0]).toContain('exceeds maximum nesting depth')
  })

  // The reference counts pairs of braces; here the template is parsed, so that `}}` outside an action is text.
  it('CORE-O12 parses the templates of values', () => {
    expect(problemsOfOutput({ properties: { p: { ...value, value: '{{.steps.step1.output}' } } })[0]).toContain(
      'invalid template syntax',
    )
    expect(problemsOfOutput({ properties: { p: { ...value, value: '{"a": {"b": "{{.params.x}}"}}' } } })).toEqual([])
  })

  it('refuses a default that does not fit its type', () => {
    expect(problemsOfOutput({ properties: { p: { ...value, type: 'integer', default: true } } })).toEqual([
      'output.properties.p.default: does not fit type integer',
    ])
  })
})
