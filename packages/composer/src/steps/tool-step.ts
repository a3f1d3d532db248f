import { NotFound, isJsonObject } from '@vmcp/domain'
import type { CallToolResult, JsonObject, ToolStep } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import type { Execution } from '../run/execution.js'
import { templateData } from '../run/execution.js'
import type { StepFailure } from '../run/step-failure.js'
import { messageOf } from '../run/step-failure.js'
import type { StepOutcome } from '../run/step-outcome.js'
import { expandValue } from '../template/expand.js'
import type { TemplateData } from '../template/template.js'
import { callStepTool } from './call-step-tool.js'
import { coerce } from './coerce.js'
import { contentMap } from './content-map.js'

/** Runs a tool step: expands its arguments, fits them to the tool's input schema and calls the tool. */
export function runToolStep(execution: Execution, step: ToolStep): Effect.Effect<StepOutcome, StepFailure> {
  const prepared = prepareArguments(execution, step, templateData(execution))
  if (!prepared.ok) {
    const action = prepared.at === 'route' ? `route tool ${step.tool} in` : 'expand arguments for'
    return Effect.fail({
      message: `failed to ${action} step ${step.id}: ${messageOf(prepared.error)}`,
      cause: prepared.error,
    })
  }
  const call = callStepTool(execution, {
    stepId: step.id,
    tool: step.tool,
    arguments: prepared.arguments,
    onError: step.onError,
    client: execution.progress.channel(step.id),
  })
  return Effect.matchEffect(call, {
    onSuccess: ({ result, retryCount }) =>
      Effect.succeed<StepOutcome>({ type: 'completed', ...toolOutput(result), retryCount }),
    onFailure: ({ message, cause, retryCount }) =>
      Effect.fail<StepFailure>({
        message: `tool call failed: tool ${step.tool} in step ${step.id}: ${message}`,
        cause,
        retryCount,
        duringCall: true,
      }),
  })
}

/** Arguments ready for a call, or where their making failed. */
export type PreparedArguments =
  | { readonly ok: true; readonly arguments: JsonObject | undefined }
  | { readonly ok: false; readonly at: 'expand' | 'route'; readonly error: unknown }

/** The arguments of a tool or inner step: templates expanded, then fitted to the tool's input schema. */
export function prepareArguments(
  execution: Execution,
  step: { readonly tool: string; readonly arguments?: JsonObject },
  data: TemplateData,
): PreparedArguments {
  let expanded: JsonObject | undefined
  try {
    const value = step.arguments === undefined ? undefined : expandValue(step.arguments, data)
    expanded = isJsonObject(value) ? value : undefined
  } catch (error) {
    return { ok: false, at: 'expand', error }
  }
  const found = execution.tools.resolve(step.tool)
  if (found === undefined) return { ok: false, at: 'route', error: new NotFound('tool', step.tool) }
  const schema = found.tool?.inputSchema
  const fitted = expanded === undefined || schema === undefined ? expanded : coerce(expanded, schema)
  return { ok: true, arguments: isJsonObject(fitted) ? fitted : undefined }
}

/** What templates read of a tool's result: structured content, else its content by kind. */
export function toolOutput(result: CallToolResult): { readonly output: unknown; readonly content: JsonObject } {
  const content = contentMap(result.content)
  return { output: result.structuredContent ?? content, content }
}
