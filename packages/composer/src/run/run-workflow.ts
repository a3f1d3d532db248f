import { Cancelled, WorkflowFailed } from '@vmcp/domain'
import type { WorkflowFailureReason } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { limits } from '../limits.js'
import { OutputError, constructOutput } from '../output/construct-output.js'
import type { StepRecord, WorkflowRun } from '../workflow-run.js'
import { outputTemplateData } from './execution.js'
import type { Execution } from './execution.js'
import { runDag } from './run-dag.js'
import { runStep } from './run-step.js'
import type { FatalStep } from './step-failure.js'

/** How the engine left a run: ended, or with questions in the state. */
export type EngineOutcome =
  { readonly type: 'ended'; readonly run: WorkflowRun } | { readonly type: 'asks'; readonly workedMs: number }

/**
 * Runs the steps of a workflow that have not run yet and makes its output. Never fails: a failure is a run with an error.
 * `workedMs` is what earlier parts of the run took of the workflow's time.
 */
export function runWorkflow(execution: Execution, workedMs = 0): Effect.Effect<EngineOutcome> {
  const { workflow, state } = execution
  const timeoutMs = workflow.timeoutMs || limits.workflowTimeoutMs
  return Effect.suspend(() => {
    const resumedAt = execution.now()
    const steps = runDag<FatalStep>(workflow.steps, {
      parallel: limits.parallelSteps,
      isDone: (stepId) => state.records.has(stepId),
      runStep: (step) => runStep(execution, step),
    })
    const bounded = Effect.timeoutOrElse(steps, {
      duration: Math.max(timeoutMs - workedMs, 0),
      orElse: () =>
        Effect.fail(new WorkflowFailed(workflow.name, { _tag: 'WorkflowTimedOut', timeoutMs }, 'workflow timed out')),
    })
    return Effect.match(bounded, {
      onSuccess: (): EngineOutcome =>
        state.questions.size > 0
          ? { type: 'asks', workedMs: workedMs + execution.now() - resumedAt }
          : { type: 'ended', run: complete(execution) },
      onFailure: (failure): EngineOutcome => ({
        type: 'ended',
        run: endRun(execution, failure instanceof WorkflowFailed ? failure : stepError(workflow.name, failure)),
      }),
    })
  })
}

/** Ends a run with an error: steps that were running count as cancelled. */
export function endRun(execution: Execution, error: WorkflowFailed | Cancelled): WorkflowRun {
  const { state, observer, workflow } = execution
  const now = execution.now()
  for (const record of state.records.values()) {
    if (record.status !== 'running') continue
    const durationMs = now - record.startedAt
    state.record({ ...record, status: 'cancelled', durationMs })
    observer.observe({ type: 'step-failed', runId: state.runId, stepId: record.stepId, durationMs, retryCount: 0 })
  }
  const status = statusOf(error)
  observer.observe({
    type: status === 'timed_out' ? 'workflow-timed-out' : 'workflow-failed',
    runId: state.runId,
    workflow: workflow.name,
    durationMs: now - state.startedAt,
    stepCount: state.records.size,
  })
  return { ...common(execution, now), status, error }
}

function complete(execution: Execution): WorkflowRun {
  const { state, observer, workflow } = execution
  const stuck = workflow.steps.find(({ id }) => !state.records.has(id))
  if (stuck !== undefined) return endRun(execution, neverStarts(workflow.name, stuck.id))
  let output: unknown
  try {
    output = makeOutput(execution)
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    const reason: WorkflowFailureReason = { _tag: 'OutputFailed', property: error.property }
    const detail = `output construction failed: ${error.message}`
    return endRun(execution, new WorkflowFailed(workflow.name, reason, detail, { cause: error.cause ?? error }))
  }
  const now = execution.now()
  observer.observe({
    type: 'workflow-completed',
    runId: state.runId,
    workflow: workflow.name,
    durationMs: now - state.startedAt,
    stepCount: state.records.size,
  })
  return { ...common(execution, now), status: 'completed', ...(output !== undefined && output !== null && { output }) }
}

/** As the workflow says, else the output of the step that completed last. */
function makeOutput(execution: Execution): unknown {
  const { workflow, state } = execution
  if (workflow.output !== undefined) return constructOutput(workflow.output, outputTemplateData(execution))
  return state.lastCompleted === undefined ? undefined : state.records.get(state.lastCompleted)?.output
}

function common(
  { state, workflow }: Execution,
  now: number,
): Pick<WorkflowRun, 'runId' | 'workflow' | 'steps' | 'startedAt' | 'durationMs'> {
  const steps = workflow.steps.map(({ id }) => state.records.get(id)).filter((record): record is StepRecord => !!record)
  const { runId, startedAt } = state
  return { runId, workflow: workflow.name, steps, startedAt, durationMs: now - startedAt }
}

function stepError(workflow: string, { stepId, failure }: FatalStep): WorkflowFailed {
  const reason: WorkflowFailureReason =
    failure.timeoutMs === undefined
      ? { _tag: 'StepFailed', stepId }
      : { _tag: 'StepTimedOut', stepId, timeoutMs: failure.timeoutMs }
  return new WorkflowFailed(workflow, reason, failure.message, { cause: failure.cause })
}

/** For a workflow that `validateWorkflow` refuses: a cycle, or a dependency on nothing. */
function neverStarts(workflow: string, stepId: string): WorkflowFailed {
  const detail = `step ${stepId} can never start: circular dependency detected, or one on a step that does not exist`
  return new WorkflowFailed(workflow, { _tag: 'StepFailed', stepId }, detail)
}

function statusOf(error: WorkflowFailed | Cancelled): 'failed' | 'timed_out' | 'cancelled' {
  if (error instanceof Cancelled) return 'cancelled'
  return error.reason._tag === 'WorkflowTimedOut' ? 'timed_out' : 'failed'
}
