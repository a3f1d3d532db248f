import type { ConfigProblem, Workflow } from '@vmcp/domain'
import { isDeeperThan } from '../json-measure.js'
import { limits } from '../limits.js'
import { checkDefaultResults } from './check-default-results.js'
import { checkDependencies } from './check-dependencies.js'
import { checkOutput } from './check-output.js'
import { checkParameters } from './check-schemas.js'
import { checkShape } from './check-shape.js'
import { checkStep } from './check-step.js'

/**
 * Everything that is wrong in a workflow, so that it can be mended in one go; nothing when it can run. It may come from
 * anywhere: values of the wrong kind are told first, and the rest when there are none.
 * Paths are relative to the workflow, such as `steps[1].arguments.title`. Whether its tools exist is not asked here.
 */
export function validateWorkflow(workflow: Workflow): readonly ConfigProblem[] {
  if (typeof workflow !== 'object' || workflow === null) return [{ path: '', message: 'workflow definition is nil' }]
  if (isDeeperThan(workflow, limits.workflowDepth)) {
    return [{ path: '', message: `is nested too deep (max ${limits.workflowDepth} levels)` }]
  }
  const misshapen = checkShape(workflow)
  if (misshapen.length > 0) return misshapen
  const steps = workflow.steps ?? []
  return [
    ...checkHead(workflow, steps.length),
    ...checkParameters(workflow.parameters),
    ...steps.flatMap((step, index) => checkStep(step, `steps[${index}]`)),
    ...checkDependencies(steps),
    ...(workflow.output === undefined ? [] : checkOutput(workflow.output)),
    ...checkDefaultResults(steps, workflow.output),
  ]
}

function* checkHead(workflow: Workflow, stepCount: number): Iterable<ConfigProblem> {
  if (!workflow.name) yield { path: 'name', message: 'workflow name is required' }
  if (!workflow.description) yield { path: 'description', message: 'description is required' }
  if (workflow.timeoutMs !== undefined && !(workflow.timeoutMs >= 0)) {
    yield { path: 'timeout', message: 'timeout cannot be negative' }
  }
  if (stepCount === 0) yield { path: 'steps', message: 'workflow must have at least one step' }
  if (stepCount > limits.stepsPerWorkflow) {
    yield { path: 'steps', message: `too many steps: ${stepCount} (max ${limits.stepsPerWorkflow})` }
  }
}
