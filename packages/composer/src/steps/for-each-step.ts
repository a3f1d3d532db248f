import type { ForEachStep, JsonObject } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { limits } from '../limits.js'
import { parseOnce } from '../parse-once.js'
import type { Execution } from '../run/execution.js'
import { templateData } from '../run/execution.js'
import type { StepFailure } from '../run/step-failure.js'
import { messageOf } from '../run/step-failure.js'
import type { StepOutcome } from '../run/step-outcome.js'
import { evaluateTemplate } from '../template/template.js'
import { callStepTool } from './call-step-tool.js'
import { prepareArguments, toolOutput } from './tool-step.js'

/** What became of one item. */
interface Iteration {
  readonly index: number
  readonly item: unknown
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly output: unknown
  readonly error?: string
}

/**
 * Runs the inner step for each item of the collection, several at a time, and reports the items in their order.
 * Unless `onError` continues, the first item that fails stops the others.
 */
export function runForEachStep(execution: Execution, step: ForEachStep): Effect.Effect<StepOutcome, StepFailure> {
  const read = readCollection(execution, step)
  if (!Array.isArray(read)) return Effect.fail(read)
  const items: readonly unknown[] = read
  const iterations = items.map((item, index): Iteration => ({ index, item, status: 'cancelled', output: null }))
  const continues = step.onError?.action === 'continue'

  const runAll = Effect.forEach(
    items,
    (item, index) =>
      Effect.flatMap(runItem(execution, step, { item, index, count: items.length }), (iteration) => {
        iterations[index] = iteration
        execution.progress.endItem(step.id, { index, count: items.length })
        return iteration.status === 'failed' && !continues ? Effect.fail(iteration) : Effect.void
      }),
    { concurrency: concurrencyOf(step), discard: true },
  )
  return Effect.matchEffect(runAll, {
    onSuccess: () => Effect.succeed<StepOutcome>({ type: 'completed', output: aggregate(iterations) }),
    onFailure: (iteration) =>
      Effect.fail<StepFailure>({
        message: `forEach step ${step.id} iteration ${iteration.index}: ${iteration.error ?? ''}`,
        output: aggregate(iterations),
      }),
  })
}

interface Item {
  readonly item: unknown
  readonly index: number
  readonly count: number
}

function runItem(execution: Execution, step: ForEachStep, { item, index, count }: Item): Effect.Effect<Iteration> {
  return Effect.suspend(() => {
    const data = templateData(execution, { [step.itemVar || 'item']: item, index })
    const prepared = prepareArguments(execution, step.step, data)
    if (!prepared.ok) {
      const what = prepared.at === 'route' ? 'failed to route tool' : 'template expansion failed'
      const error = `${what}: ${messageOf(prepared.error)}`
      return Effect.succeed<Iteration>({ index, item, status: 'failed', output: null, error })
    }
    const call = callStepTool(execution, {
      stepId: step.id,
      tool: step.step.tool,
      arguments: prepared.arguments,
      onError: step.step.onError,
      client: execution.progress.channel(step.id, { index, count }),
    })
    return Effect.match(call, {
      onSuccess: ({ result }): Iteration => ({ index, item, status: 'completed', output: toolOutput(result).output }),
      onFailure: ({ message }): Iteration => ({ index, item, status: 'failed', output: null, error: message }),
    })
  })
}

/** The items, or why there are none. The text that is no array stays out of the error: it may hold an argument. */
function readCollection(execution: Execution, step: ForEachStep): unknown[] | StepFailure {
  let value: unknown
  try {
    value = evaluateTemplate(parseOnce(step, step.collection), templateData(execution))
  } catch (error) {
    return {
      message: `forEach step ${step.id}: failed to expand collection template: ${messageOf(error)}`,
      cause: error,
    }
  }
  const items = typeof value === 'string' ? parseJson(value) : value
  if (items === null) return []
  if (!Array.isArray(items)) {
    return {
      message: `forEach step ${step.id}: collection must resolve to a JSON array, got: ${kindOf(value)}`,
    }
  }
  const most = Math.min(step.maxIterations || limits.forEachIterations, limits.forEachIterationsMax)
  if (items.length > most) {
    return { message: `forEach step ${step.id}: collection size ${items.length} exceeds maxIterations ${most}` }
  }
  return items
}

function aggregate(iterations: readonly Iteration[]): JsonObject {
  const completed = iterations.filter(({ status }) => status === 'completed').length
  return { iterations, count: iterations.length, completed, failed: iterations.length - completed }
}

function concurrencyOf(step: ForEachStep): number {
  return Math.min(step.maxParallel || limits.forEachParallel, limits.forEachParallelMax)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  return typeof value === 'string' ? `text of ${value.length} characters` : `a value of type ${typeof value}`
}
