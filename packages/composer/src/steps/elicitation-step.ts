import {
  ContentTooLarge,
  ElicitationCancelled,
  ElicitationDeclined,
  ElicitationNotConfigured,
  ElicitationTimeout,
  SchemaTooDeep,
  SchemaTooLarge,
} from '@vmcp/domain'
import type { ElicitationStep, OnRefusal } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { readAnswer, refuseQuestion, requestElicitation } from '../elicitation/request-elicitation.js'
import type { StepAnswer, StepQuestion } from '../elicitation/request-elicitation.js'
import { parseOnce } from '../parse-once.js'
import type { Execution } from '../run/execution.js'
import { templateData } from '../run/execution.js'
import type { StepFailure } from '../run/step-failure.js'
import { messageOf } from '../run/step-failure.js'
import type { StepOutcome } from '../run/step-outcome.js'
import { renderTemplate } from '../template/template.js'

/** Runs an elicitation step: asks the user and does what the step says to the answer, or to none. */
export function runElicitationStep(
  execution: Execution,
  step: ElicitationStep,
): Effect.Effect<StepOutcome, StepFailure> {
  let message: string
  try {
    message = renderTemplate(parseOnce(step, step.message), templateData(execution))
  } catch (error) {
    const text = `failed to expand elicitation message for step ${step.id}: ${messageOf(error)}`
    return Effect.fail({ message: text, cause: error })
  }
  const question: StepQuestion = { stepId: step.id, message, schema: step.schema, timeoutMs: step.timeoutMs }
  if (execution.asking.type === 'retry') return askByRetry(execution, step, question)
  const requester = execution.asking.type === 'push' ? execution.asking.requester : undefined
  return Effect.matchEffect(requestElicitation(requester, question, execution.logger), {
    onSuccess: (answer) => settle(step, answer),
    onFailure: (error) => settleFailure(step, error),
  })
}

/** Gives the question, or takes the answer that the caller came back with. */
function askByRetry(
  { asking, logger }: Execution,
  step: ElicitationStep,
  question: StepQuestion,
): Effect.Effect<StepOutcome, StepFailure> {
  if (asking.type !== 'retry') return Effect.die(new TypeError('the caller does not answer by retry'))
  const response = asking.asked.has(step.id) ? ownResponse(asking.responses, step.id) : undefined
  if (response !== undefined) {
    return Effect.matchEffect(readAnswer(step.id, response, logger), {
      onSuccess: (answer) => settle(step, answer),
      onFailure: (error) => settleFailure(step, error),
    })
  }
  const refused = refuseQuestion(question)
  if (refused !== undefined) return settleFailure(step, refused)
  const params = { message: question.message, requestedSchema: question.schema }
  return Effect.succeed({ type: 'asks', question: { method: 'elicitation/create', params } })
}

function ownResponse<Response>(responses: Readonly<Record<string, Response>>, stepId: string): Response | undefined {
  return Object.hasOwn(responses, stepId) ? responses[stepId] : undefined
}

function settle(step: ElicitationStep, { action, content }: StepAnswer): Effect.Effect<StepOutcome, StepFailure> {
  if (action === 'accept') return Effect.succeed({ type: 'completed', output: { action, content } })
  if (action === 'decline') return refuse(step.onDecline, action, new ElicitationDeclined(step.id))
  return refuse(step.onCancel, action, new ElicitationCancelled(step.id))
}

function settleFailure(step: ElicitationStep, error: unknown): Effect.Effect<StepOutcome, StepFailure> {
  if (error instanceof Error && (error as { readonly _tag?: unknown })._tag === 'ElicitationTimeout') {
    const failure = step.onCancel === undefined ? new ElicitationTimeout(step.id) : new ElicitationCancelled(step.id)
    return refuse(step.onCancel, 'timeout', failure)
  }
  return Effect.fail({ message: describeFailure(step.id, error), cause: error })
}

function refuse(
  reaction: OnRefusal | undefined,
  action: 'decline' | 'cancel' | 'timeout',
  failure: ElicitationDeclined | ElicitationCancelled | ElicitationTimeout,
): Effect.Effect<StepOutcome, StepFailure> {
  if (reaction?.action === 'continue') return Effect.succeed({ type: 'completed', output: { action } })
  if (reaction?.action === 'skip_remaining') {
    return Effect.succeed({ type: 'completed-last', output: { action, skipped: true } })
  }
  return Effect.fail({ message: failure.message, cause: failure })
}

function describeFailure(stepId: string, error: unknown): string {
  if (error instanceof ElicitationNotConfigured) return error.message
  if (error instanceof SchemaTooLarge) return `invalid schema for step ${stepId}: ${error.message}`
  if (error instanceof ContentTooLarge) return `invalid response content for step ${stepId}: ${error.message}`
  if (error instanceof SchemaTooDeep) return `invalid elicitation for step ${stepId}: ${error.message}`
  return `elicitation request failed for step ${stepId}: ${messageOf(error)}`
}
