import { isJsonObject } from '@vmcp/domain'
import type { ConfigProblem, ElicitationStep, ForEachStep, InnerStep, WorkflowStep } from '@vmcp/domain'
import { limits } from '../limits.js'
import { checkSchema } from './check-schemas.js'
import { checkTemplate, checkTemplates } from './check-template.js'

/** What is wrong in one step, apart from its relations to others. Any field may be missing. */
export function checkStep(step: WorkflowStep, path: string): readonly ConfigProblem[] {
  return [...checkCommon(step, path), ...checkKind(step, path)]
}

function* checkCommon(step: WorkflowStep, path: string): Iterable<ConfigProblem> {
  if (!step.id) yield { path: `${path}.id`, message: 'step ID is required' }
  if (step.timeoutMs !== undefined && !(step.timeoutMs >= 0)) {
    yield { path: `${path}.timeout`, message: 'timeout cannot be negative' }
  }
  yield* checkTemplate(step.condition, `${path}.condition`)
  yield* checkOnError(step.onError, `${path}.onError`)
}

function checkKind(step: WorkflowStep, path: string): Iterable<ConfigProblem> {
  switch (step.type) {
    case 'tool':
      return checkTool(step, path, `tool name is required for tool step ${step.id}`)
    case 'elicitation':
      return checkElicitation(step, path)
    case 'forEach':
      return checkForEach(step, path)
    default:
      return [{ path: `${path}.type`, message: invalidType(step) }]
  }
}

function invalidType(step: { readonly id?: string; readonly type?: unknown }): string {
  return `invalid step type "${String(step.type)}" for step ${step.id}: must be one of: tool, elicitation, forEach`
}

function* checkTool(
  step: Pick<InnerStep, 'tool' | 'arguments'>,
  path: string,
  missing: string,
): Iterable<ConfigProblem> {
  if (!step.tool) yield { path: `${path}.tool`, message: missing }
  else if (!/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(step.tool)) {
    yield { path: `${path}.tool`, message: 'must be a valid tool name' }
  }
  yield* checkTemplates(step.arguments, `${path}.arguments`)
}

function* checkElicitation(step: ElicitationStep, path: string): Iterable<ConfigProblem> {
  if (!step.message) yield { path: `${path}.message`, message: `elicitation message is required for step ${step.id}` }
  yield* checkTemplate(step.message, `${path}.message`)
  if (!isJsonObject(step.schema) || Object.keys(step.schema).length === 0) {
    yield { path: `${path}.schema`, message: `schema is required for elicitation steps: step ${step.id}` }
  } else yield* checkSchema(step.schema, `${path}.schema`)
  yield* checkOnRefusal(step.onDecline, `${path}.onDecline`)
  yield* checkOnRefusal(step.onCancel, `${path}.onCancel`)
}

function* checkForEach(step: ForEachStep, path: string): Iterable<ConfigProblem> {
  for (const field of ['tool', 'message'].filter((name) => name in step)) {
    yield { path, message: `forEach step must not have '${field}' field` }
  }
  if (!step.collection) {
    yield { path: `${path}.collection`, message: `collection is required for forEach step ${step.id}` }
  }
  yield* checkTemplate(step.collection, `${path}.collection`)
  if (step.itemVar === 'index') yield { path: `${path}.itemVar`, message: "itemVar cannot be 'index' (reserved)" }
  else if (step.itemVar && !/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(step.itemVar)) {
    yield { path: `${path}.itemVar`, message: `itemVar must be a valid Go identifier (got "${step.itemVar}")` }
  }
  yield* checkCount(step.maxParallel, `${path}.maxParallel`, limits.forEachParallelMax)
  yield* checkCount(step.maxIterations, `${path}.maxIterations`, limits.forEachIterationsMax)
  if (!isJsonObject(step.step)) {
    yield { path: `${path}.step`, message: `inner step is required for forEach step ${step.id}` }
    return
  }
  const innerType = (step.step as { readonly type?: unknown }).type ?? 'tool'
  if (innerType !== 'tool') {
    const message = `step.type must be 'tool' (got "${String(innerType)}"); only tool inner steps are supported`
    yield { path: `${path}.step.type`, message }
  }
  yield* checkTool(step.step, `${path}.step`, 'step.tool is required for tool inner steps')
  yield* checkOnError(step.step.onError, `${path}.step.onError`)
}

function* checkCount(count: number | undefined, path: string, most: number): Iterable<ConfigProblem> {
  if (count === undefined) return
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (!Number.isInteger(count) || count < 0) yield { path, message: `${name} must be >= 0 (got ${count})` }
  if (count > most) yield { path, message: `${name} must be <= ${most} (got ${count})` }
}

function* checkOnError(onError: WorkflowStep['onError'], path: string): Iterable<ConfigProblem> {
  if (onError === undefined) return
  if (!['abort', 'continue', 'retry'].includes(onError.action)) {
    yield { path: `${path}.action`, message: 'must be one of: abort, continue, retry' }
  }
  if (onError.action !== 'retry') return
  if (!(onError.retryCount >= 1)) {
    yield { path: `${path}.retryCount`, message: 'retryCount must be at least 1 when action is retry' }
  }
  if (onError.retryDelayMs !== undefined && !(onError.retryDelayMs >= 0)) {
    yield { path: `${path}.retryDelay`, message: 'retryDelay cannot be negative' }
  }
}

function* checkOnRefusal(reaction: ElicitationStep['onDecline'], path: string): Iterable<ConfigProblem> {
  if (reaction === undefined) return
  if (!reaction.action) yield { path: `${path}.action`, message: 'is required' }
  else if (!['abort', 'continue', 'skip_remaining'].includes(reaction.action)) {
    yield { path: `${path}.action`, message: 'must be one of: abort, continue, skip_remaining' }
  }
}
