import { isInputRequired, isJsonObject, isText } from '@vmcp/domain'
import type { CallOptions, CallToolResult, ClientChannel, JsonObject, OnError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { limits } from '../limits.js'
import type { Execution } from '../run/execution.js'
import { retrySchedule } from '../run/retry-schedule.js'
import { messageOf } from '../run/step-failure.js'

/** One call of a step, retries included. */
export interface StepCall {
  readonly stepId: string
  /** The reference as the workflow has it. */
  readonly tool: string
  readonly arguments: JsonObject | undefined
  readonly onError?: OnError | undefined
  readonly client: ClientChannel | undefined
}

/** What the call gave, and how often it was repeated for that. */
export interface StepCallResult {
  readonly result: CallToolResult
  readonly retryCount: number
}

/** Why the call failed for good. */
export interface StepCallFailure {
  readonly message: string
  readonly cause?: unknown
  readonly retryCount: number
  /** False when calling again cannot help. */
  readonly retryable: boolean
}

/**
 * Calls a tool as `onError` of the step says. A result with `isError` fails like a call that rejects.
 * Interrupting it aborts the signal of the running call.
 */
export function callStepTool(execution: Execution, call: StepCall): Effect.Effect<StepCallResult, StepCallFailure> {
  const options: CallOptions =
    call.client === undefined ? execution.callOptions : { ...execution.callOptions, client: call.client }
  const request = {
    name: call.tool,
    ...(call.arguments !== undefined && { arguments: call.arguments }),
  }
  let calls = 0

  const once = Effect.flatMap(
    Effect.tryPromise({
      try: async (signal) => {
        calls += 1
        return execution.tools.call(execution.identity, request, { ...options, signal })
      },
      catch: (error): StepCallFailure => ({
        message: messageOf(error),
        cause: error,
        retryCount: calls - 1,
        retryable: !isCancelled(error),
      }),
    }),
    (result) => judge(result, calls - 1),
  )
  if (call.onError?.action !== 'retry') return once
  const { retryCount, retryDelayMs } = call.onError
  if (retryCount > limits.retriesPerStep) {
    execution.logger.warn('retry count is capped', { step: call.stepId, retryCount, cap: limits.retriesPerStep })
  }
  return Effect.retry(once, {
    schedule: retrySchedule(retryCount, retryDelayMs),
    while: (failure) => failure.retryable,
  })
}

function judge(
  result: Awaited<ReturnType<Execution['tools']['call']>>,
  retryCount: number,
): Effect.Effect<StepCallResult, StepCallFailure> {
  if (!isJsonObject(result)) {
    return Effect.fail({ message: 'the tool answered with something that is no result', retryCount, retryable: true })
  }
  if (isInputRequired(result)) {
    return Effect.fail({ message: 'the tool asks for input, which a step cannot give', retryCount, retryable: false })
  }
  const shaped = withContent(result)
  if (result.isError === true) {
    const message = `tool execution failed: ${errorText(shaped)}`
    return Effect.fail({ message, retryCount, retryable: true })
  }
  return Effect.succeed({ result: shaped, retryCount })
}

/** A result whose content is a list of blocks, whatever the backend made of it. */
function withContent(result: CallToolResult): CallToolResult {
  const content: unknown = result.content
  if (Array.isArray(content) && content.every(isJsonObject)) return result
  return { ...result, content: Array.isArray(content) ? result.content.filter(isJsonObject) : [] }
}

/** The first text that is not empty, else a structured `error`, `message` or `text`. */
function errorText(result: CallToolResult): string {
  const block = result.content.find((item) => isText(item) && item.text !== '')
  if (block !== undefined && isText(block)) return block.text
  const structured = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  const found = ['error', 'message', 'text'].map((key) => structured[key]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : 'tool execution error'
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error as { readonly _tag?: unknown })._tag === 'Cancelled'
}
