import { describe, expect, it } from 'vitest'
import { toolStep, workflowOf } from '../test/run-for-test.js'
import { planWorkflow } from './plan-workflow.js'

describe('planWorkflow', () => {
  // The engine has no levels; the plan shows them because they say what can run in parallel.
  it('CORE-W15 groups steps by the earliest time they can start', () => {
    const groupsOf = (...steps: [id: string, ...dependsOn: string[]][]) =>
      planWorkflow(workflowOf({ steps: steps.map(([id, ...dependsOn]) => toolStep(id, { dependsOn })) })).groups.map(
        (group) => group.length,
      )

    expect(groupsOf(['a'], ['b'], ['c'])).toEqual([3])
    expect(groupsOf(['a'], ['b', 'a'], ['c', 'b'])).toEqual([1, 1, 1])
    expect(groupsOf(['a'], ['b'], ['c'], ['d', 'a', 'b', 'c'])).toEqual([3, 1])
    expect(groupsOf(['a'], ['b'], ['c', 'a'], ['d', 'a', 'b'], ['e', 'c', 'd'])).toEqual([2, 2, 1])
    expect(groupsOf(['a'], ['b', 'a'], ['c', 'a'], ['d', 'b', 'c'])).toEqual([1, 2, 1])
    expect(groupsOf()).toEqual([])
  })

  it('names the tools and what each template reads', () => {
    const plan = planWorkflow(
      workflowOf({
        steps: [
          toolStep('fetch', { arguments: { url: '{{.params.url}}' } }),
          {
            id: 'loop',
            type: 'forEach',
            collection: '{{json .steps.fetch.output.items}}',
            step: { tool: 'be1.check', arguments: { name: '{{.forEach.item.name}}' } },
            dependsOn: ['fetch'],
            condition: '{{.params.deep}}',
            onError: { action: 'continue' },
          },
        ],
        output: { properties: { n: { type: 'integer', description: 'n', value: '{{.steps.loop.output.count}}' } } },
      }),
    )

    expect(plan.tools).toEqual(['fetch', 'be1.check'])
    expect(plan.steps[0]?.reads).toEqual([{ place: 'arguments.url', paths: [['params', 'url']] }])
    expect(plan.steps[1]).toEqual({
      id: 'loop',
      type: 'forEach',
      tool: 'be1.check',
      dependsOn: ['fetch'],
      condition: '{{.params.deep}}',
      onError: 'continue',
      reads: [
        { place: 'condition', paths: [['params', 'deep']] },
        { place: 'collection', paths: [['steps', 'fetch', 'output', 'items']] },
        { place: 'step.arguments.name', paths: [['forEach', 'item', 'name']] },
      ],
    })
    expect(plan.output).toEqual([{ place: 'output.properties.n', paths: [['steps', 'loop', 'output', 'count']] }])
    expect(plan.warnings).toEqual([])
  })

  it('warns of a template that reads a step that is not there or need not have ended', () => {
    const plan = planWorkflow(
      workflowOf({
        steps: [
          toolStep('a'),
          toolStep('b', { arguments: { x: '{{.steps.a.output.x}}', y: '{{.steps.gone.output.y}}' } }),
        ],
      }),
    )

    expect(plan.warnings).toEqual([
      { stepId: 'b', place: 'arguments.x', reads: ['steps', 'a', 'output', 'x'], reason: 'not-a-dependency' },
      { stepId: 'b', place: 'arguments.y', reads: ['steps', 'gone', 'output', 'y'], reason: 'unknown-step' },
    ])
  })
})
