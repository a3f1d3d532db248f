import type { WorkflowStep } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { limits } from '../limits.js'
import { runElicitationStep } from '../steps/elicitation-step.js'
import { runForEachStep } from '../steps/for-each-step.js'
import { runToolStep } from '../steps/tool-step.js'
import { evaluateCondition } from './condition.js'
import { templateData } from './execution.js'
import type { Execution } from './execution.js'
import type { FatalStep, StepFailure } from './step-failure.js'
import { messageOf } from './step-failure.js'
import type { StepOutcome } from './step-outcome.js'

/**
 * Runs one step and records what became of it. Gives `true` when the steps that depend on it may start, `false` when it
 * waits for an answer. Fails only when the workflow has to end.
 */
export function runStep(execution: Execution, step: WorkflowStep): Effect.Effect<boolean, FatalStep> {
  return Effect.suspend(() => {
    const startedAt = execution.now()
    if (execution.state.skipsRemaining) {
      skip(execution, step, startedAt)
      return Effect.succeed(true)
    }
    const goesOn = wasAsked(execution, step)
    start(execution, step, startedAt)
    if (!goesOn) observeStart(execution, step)
    let runs: boolean
    try {
      runs = goesOn || evaluateCondition(step, templateData(execution))
    } catch (error) {
      const message = `failed to evaluate condition for step ${step.id}: ${messageOf(error)}`
      return fail(execution, step, { message, cause: error })
    }
    if (!runs) {
      skip(execution, step, startedAt)
      return Effect.succeed(true)
    }
    return Effect.matchEffect(withStepTimeout(step, runBody(execution, step)), {
      onSuccess: (outcome) => Effect.succeed(settle(execution, step, outcome)),
      onFailure: (failure) => fail(execution, step, failure),
    })
  })
}

function runBody(execution: Execution, step: WorkflowStep): Effect.Effect<StepOutcome, StepFailure> {
  switch (step.type) {
    case 'tool':
      return runToolStep(execution, step)
    case 'elicitation':
      return runElicitationStep(execution, step)
    case 'forEach':
      return runForEachStep(execution, step)
  }
}

/** The time of an elicitation step is the time of its question, which the handler keeps. */
function withStepTimeout(
  step: WorkflowStep,
  body: Effect.Effect<StepOutcome, StepFailure>,
): Effect.Effect<StepOutcome, StepFailure> {
  if (step.type === 'elicitation') return body
  const timeoutMs = step.timeoutMs || limits.stepTimeoutMs
  return Effect.timeoutOrElse(body, {
    duration: timeoutMs,
    orElse: () => {
      const message = `step ${step.id} timed out after ${timeoutMs} ms`
      return Effect.fail<StepFailure>({ message, timeoutMs, duringCall: step.type === 'tool' })
    },
  })
}

/** True for a step that started in an earlier part of the run and has waited for an answer since. */
function wasAsked({ asking }: Execution, step: WorkflowStep): boolean {
  return asking.type === 'retry' && asking.asked.has(step.id)
}

function start({ state }: Execution, step: WorkflowStep, startedAt: number): void {
  state.record({ stepId: step.id, status: 'running', retryCount: 0, startedAt })
}

function observeStart({ state, observer }: Execution, step: WorkflowStep): void {
  observer.observe({
    type: 'step-started',
    runId: state.runId,
    stepId: step.id,
    stepType: step.type,
    ...(step.type === 'tool' && { tool: step.tool }),
  })
}

function skip({ state, observer, progress }: Execution, step: WorkflowStep, startedAt: number): void {
  state.record({
    stepId: step.id,
    status: 'skipped',
    output: step.defaultResults ?? null,
    retryCount: 0,
    startedAt,
    durationMs: 0,
  })
  observer.observe({
    type: 'step-skipped',
    runId: state.runId,
    stepId: step.id,
    condition: state.skipsRemaining ? '' : (step.condition ?? ''),
  })
  progress.end(step.id)
}

function settle({ state, observer, progress, now }: Execution, step: WorkflowStep, outcome: StepOutcome): boolean {
  if (outcome.type === 'asks') {
    state.suspend(step.id, outcome.question)
    return false
  }
  const startedAt = state.records.get(step.id)?.startedAt ?? now()
  const durationMs = now() - startedAt
  const retryCount = outcome.type === 'completed' ? (outcome.retryCount ?? 0) : 0
  if (outcome.type === 'completed-last') state.skipsRemaining = true
  state.record({
    stepId: step.id,
    status: 'completed',
    output: outcome.output,
    ...(outcome.type === 'completed' && outcome.content !== undefined && { content: outcome.content }),
    retryCount,
    startedAt,
    durationMs,
  })
  observer.observe({ type: 'step-completed', runId: state.runId, stepId: step.id, durationMs, retryCount })
  progress.end(step.id)
  return true
}

/** Records the failure; with `continue` the workflow goes on, and `defaultResults` stand in for what the call would give. */
function fail(
  { state, observer, progress, now }: Execution,
  step: WorkflowStep,
  failure: StepFailure,
): Effect.Effect<boolean, FatalStep> {
  const startedAt = state.records.get(step.id)?.startedAt ?? now()
  const durationMs = now() - startedAt
  const retryCount = failure.retryCount ?? 0
  const continues = step.onError?.action === 'continue'
  const output = continues && failure.duringCall === true ? (step.defaultResults ?? null) : (failure.output ?? null)
  const { message: error } = failure
  state.record({ stepId: step.id, status: 'failed', output, error, retryCount, startedAt, durationMs })
  observer.observe({ type: 'step-failed', runId: state.runId, stepId: step.id, durationMs, retryCount })
  progress.end(step.id)
  return continues ? Effect.succeed(true) : Effect.fail({ _tag: 'FatalStep', stepId: step.id, failure })
}
