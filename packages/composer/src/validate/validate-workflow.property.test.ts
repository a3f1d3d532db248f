import type { Workflow } from '@vmcp/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateWorkflow } from './validate-workflow.js'

/** Something where a field of a workflow should be, or nothing. */
const anything = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  fc.constantFrom('{{.params.x}}', '{{', 'tool', 'elicitation', 'forEach', 'a', 'object', 'retry'),
)
const fields = (...names: string[]) => fc.record(Object.fromEntries(names.map((name) => [name, anything])))
const property = fields('type', 'description', 'value', 'properties', 'default')
const step = fc
  .tuple(
    fields('id', 'type', 'tool', 'arguments', 'condition', 'dependsOn', 'timeoutMs', 'defaultResults'),
    fields(
      'message',
      'schema',
      'onDecline',
      'onCancel',
      'collection',
      'itemVar',
      'maxParallel',
      'maxIterations',
      'step',
    ),
    fc.record({ onError: fc.oneof(anything, fields('action', 'retryCount', 'retryDelayMs')) }),
    fc.record({ type: fc.constantFrom('tool', 'elicitation', 'forEach', 'other') }),
  )
  .map(([common, special, onError, type]) => ({ ...common, ...special, ...onError, ...type }))

describe('validateWorkflow', () => {
  it('answers problems, and never throws, whatever it is given', () => {
    const workflows = fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: anything,
        description: anything,
        parameters: anything,
        timeoutMs: anything,
        steps: fc.oneof(anything, fc.array(fc.oneof(step, anything), { maxLength: 5 })),
        output: fc.oneof(
          anything,
          fc.record({
            properties: fc.oneof(anything, fc.dictionary(fc.string(), fc.oneof(property, anything))),
            required: anything,
          }),
        ),
      }),
    )

    fc.assert(
      fc.property(workflows, (workflow) => {
        for (const problem of validateWorkflow(workflow as unknown as Workflow)) {
          expect(problem.message).not.toBe('')
        }
      }),
      { numRuns: 500 },
    )
  })
})
