import { text } from '@vmcp/domain'
import type { CallToolResult, InputRequired } from '@vmcp/domain'
import { canonicalJson } from './canonical-json.js'
import type { WorkflowRun } from './workflow-run.js'
import { messageOf } from './run/step-failure.js'

/**
 * What a composite tool answers for a run: a failed workflow is a result with `isError`, never an error.
 * The text is the output as compact JSON with sorted keys; questions pass through.
 */
export function workflowResult(run: WorkflowRun): CallToolResult
export function workflowResult(outcome: WorkflowRun | InputRequired): CallToolResult | InputRequired
export function workflowResult(outcome: WorkflowRun | InputRequired): CallToolResult | InputRequired {
  if ('resultType' in outcome) return outcome
  if (outcome.error !== undefined) return failed(describeError(outcome.error))
  if (outcome.output === undefined || outcome.output === null) return { content: [text('null')] }
  try {
    return { content: [text(escapeHtml(canonicalJson(outcome.output)))], structuredContent: outcome.output }
  } catch (error) {
    return failed(`failed to marshal output: ${messageOf(error)}`)
  }
}

function describeError(error: NonNullable<WorkflowRun['error']>): string {
  if (error._tag === 'WorkflowFailed' && error.reason._tag === 'StepTimedOut')
    return 'Workflow execution timeout exceeded'
  return `Workflow execution failed: ${error.message}`
}

function failed(message: string): CallToolResult {
  return { content: [text(message)], isError: true }
}

/** Escapes what Go's encoder escapes, so that the text is safe inside HTML and JavaScript. */
function escapeHtml(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
