import { planWorkflow } from '@vmcp/composer'
import type { Workflow } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { planMermaid } from './plan-mermaid.js'
import type { PlanReport } from './plan-report.js'
import { planText } from './plan-text.js'

const workflow: Workflow = {
  name: 'publish',
  description: 'Publishes what was found.',
  steps: [
    { id: 'find', type: 'tool', tool: 'search.query', arguments: { q: '{{.params.query}}' } },
    { id: 'ask', type: 'elicitation', message: 'Say "<yes>"', schema: { type: 'object' } },
    {
      id: 'end',
      type: 'forEach',
      collection: '{{json .steps.find.output.items}}',
      dependsOn: ['find', 'ask'],
      condition: '{{eq .steps.ask.output.action "accept"}}',
      onError: { action: 'continue' },
      step: { tool: 'files_write', arguments: { text: '{{.forEach.item}} {{.steps.gone.output}}' } },
    },
  ],
  output: {
    properties: { count: { type: 'integer', description: 'How many.', value: '{{.steps.end.output.count}}' } },
  },
}

const offline: PlanReport = { plan: planWorkflow(workflow), description: workflow.description }
const asked: PlanReport = {
  ...offline,
  standing: {
    caller: 'ada of corp',
    workflow: { reference: 'publish', state: 'missing', message: 'no backend offers "files_write"' },
    tools: [
      { reference: 'search.query', state: 'hidden', message: 'a setting hides it' },
      { reference: 'files_write', state: 'missing', message: 'no backend offers it' },
    ],
  },
}

describe('planText', () => {
  it('shows what runs when, what it reads, how the caller finds its tools, and what is wrong', () => {
    expect(planText(asked)).toBe(`publish
  Publishes what was found.
  For ada of corp it is missing: no backend offers "files_write".

  1  in parallel
     find: calls search.query
         search.query is hidden: a setting hides it
         arguments.q reads .params.query
     ask: asks the user
  2  end: calls files_write for each item
         after find, ask
         only if {{eq .steps.ask.output.action "accept"}}
         files_write is missing: no backend offers it
         on error: continue
         condition reads .steps.ask.output.action
         collection reads .steps.find.output.items
         step.arguments.text reads .forEach.item, .steps.gone.output

  output
    count reads .steps.end.output.count

  warnings
    end: step.arguments.text reads .steps.gone.output, but there is no such step`)
  })

  it('says nothing of tools when the backends were not asked', () => {
    expect(planText(offline)).not.toContain('missing')
  })
})

describe('planMermaid', () => {
  it('draws steps by their kind, skippable ones with dotted arrows, and marks missing tools', () => {
    expect(planMermaid(asked)).toBe(`flowchart TD
  start(["publish"])
  s0["find<br/>search.query"]
  s1{{"ask<br/>asks the user"}}
  s2[["end<br/>files_write for each item<br/>if {{eq .steps.ask.output.action #34;accept#34;}}"]]
  result([result])
  start --> s0
  start --> s1
  s0 -.-> s2
  s1 -.-> s2
  s2 --> result
  classDef missing stroke:#c00,stroke-dasharray:4
  class s2 missing`)
  })
})
