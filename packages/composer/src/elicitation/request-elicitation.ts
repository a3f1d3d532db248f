import {
  ContentTooLarge,
  ElicitationNotConfigured,
  ElicitationTimeout,
  InvalidInput,
  SchemaTooDeep,
  SchemaTooLarge,
  isJsonObject,
} from '@vmcp/domain'
import type { ElicitationRequester, ElicitationResult, JsonObject, JsonSchema, Logger } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { isDeeperThan, jsonBytes } from '../json-measure.js'
import { limits } from '../limits.js'

/** A question of a step. */
export interface StepQuestion {
  readonly stepId: string
  readonly message: string
  readonly schema: JsonSchema
  /** Milliseconds; 5 minutes when absent, at most 10 minutes. */
  readonly timeoutMs?: number | undefined
}

/** What the user did, with the form's values if they are an object. */
export interface StepAnswer {
  readonly action: ElicitationResult['action']
  readonly content: JsonObject | null
}

/**
 * Asks the user within the limits of size, depth and time.
 * Fails with the domain's error for a limit, or with whatever the requester failed with.
 */
export function requestElicitation(
  requester: ElicitationRequester | undefined,
  question: StepQuestion,
  logger: Logger,
): Effect.Effect<StepAnswer, unknown> {
  return Effect.suspend((): Effect.Effect<StepAnswer, unknown> => {
    const { stepId } = question
    if (requester === undefined) return Effect.fail(new ElicitationNotConfigured(stepId))
    const refused = refuseQuestion(question)
    if (refused !== undefined) return Effect.fail(refused)
    const timeoutMs = timeoutOf(question, logger)
    const asked = Effect.tryPromise({
      try: async (signal) =>
        requester.requestElicitation({ message: question.message, requestedSchema: question.schema }, { signal }),
      catch: (error) => error,
    })
    const answered = Effect.timeoutOrElse(asked, {
      duration: timeoutMs,
      orElse: () => Effect.fail(new ElicitationTimeout(stepId)),
    })
    return Effect.flatMap(answered, (result) => readAnswer(stepId, result, logger))
  })
}

/** Why the question cannot be asked, if so: a message or form that is missing, or a form over the limits. */
export function refuseQuestion(question: StepQuestion): Error | undefined {
  if (!question.message) return new InvalidInput('elicitation message is required', { field: 'message' })
  if (question.schema === undefined || question.schema === null) {
    return new InvalidInput('elicitation schema is required', { field: 'schema' })
  }
  const bytes = jsonBytes(question.schema)
  if (bytes === undefined) return new InvalidInput('elicitation schema is not JSON', { field: 'schema' })
  if (bytes > limits.elicitationSchemaBytes) return new SchemaTooLarge(bytes, limits.elicitationSchemaBytes)
  if (isDeeperThan(question.schema, limits.elicitationDepth))
    return new SchemaTooDeep('schema', limits.elicitationDepth)
  return undefined
}

/** The answer within the limits, whatever was given as one. Content that is not an object counts as absent. */
export function readAnswer(stepId: string, result: unknown, logger: Logger): Effect.Effect<StepAnswer, Error> {
  const { action, content } = isJsonObject(result) ? result : {}
  if (action === 'decline' || action === 'cancel') return Effect.succeed({ action, content: null })
  if (action !== 'accept') {
    return Effect.fail(new InvalidInput(`invalid elicitation response action for step ${stepId}`, { field: 'action' }))
  }
  if (content === undefined || content === null) return Effect.succeed({ action, content: null })
  const bytes = jsonBytes(content)
  if (bytes === undefined) {
    return Effect.fail(new InvalidInput(`the answer to step ${stepId} is not JSON`, { field: 'content' }))
  }
  if (bytes > limits.elicitationContentBytes) {
    return Effect.fail(new ContentTooLarge(bytes, limits.elicitationContentBytes))
  }
  if (isDeeperThan(content, limits.elicitationDepth)) {
    return Effect.fail(new SchemaTooDeep('response content', limits.elicitationDepth))
  }
  if (isJsonObject(content)) return Effect.succeed({ action, content })
  logger.warn('elicitation content is not an object and is treated as absent', { step: stepId })
  return Effect.succeed({ action, content: null })
}

function timeoutOf(question: StepQuestion, logger: Logger): number {
  const asked = question.timeoutMs || limits.elicitationTimeoutMs
  if (asked <= limits.elicitationTimeoutMaxMs) return asked
  logger.warn('elicitation timeout is capped', {
    step: question.stepId,
    timeoutMs: asked,
    capMs: limits.elicitationTimeoutMaxMs,
  })
  return limits.elicitationTimeoutMaxMs
}
