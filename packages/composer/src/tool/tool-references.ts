import type { Workflow } from '@vmcp/domain'

/** The tools that a workflow uses, as it refers to them: each once, in the order of its steps. */
export function toolReferences(workflow: Workflow): readonly string[] {
  const references = workflow.steps.flatMap((step) => {
    if (step.type === 'tool') return [step.tool]
    return step.type === 'forEach' ? [step.step.tool] : []
  })
  return [...new Set(references)]
}

/** True when a workflow asks the user something. */
export function requiresElicitation(workflow: Workflow): boolean {
  return workflow.steps.some((step) => step.type === 'elicitation')
}
