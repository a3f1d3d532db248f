import { randomUUID } from 'node:crypto'
import { Cancelled, WorkflowFailed } from '@vmcp/domain'
import type { InputRequired, JsonObject } from '@vmcp/domain'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { limits } from '../limits.js'
import { applyParameters } from '../parameters.js'
import type { StepTools } from '../run-request.js'
import type { OpenedState } from '../suspension/sealed-state.js'
import type { WorkflowRun } from '../workflow-run.js'
import { chooseAsking } from './execution.js'
import type { Execution } from './execution.js'
import { createInterruption } from './interruption.js'
import type { InterruptedBy, Interruption } from './interruption.js'
import { createProgress } from './progress.js'
import type { RunCall, SharedParts } from './run-call.js'
import { RunState } from './run-state.js'
import { giveBack, openState, sealQuestions } from './run-suspension.js'
import type { SuspendedRun } from './run-suspension.js'
import { endRun, runWorkflow } from './run-workflow.js'
import type { EngineOutcome } from './run-workflow.js'
import { messageOf } from './step-failure.js'
import { watchCalls } from './watch-calls.js'

/** Carries one run from the call to its end, or to the questions it has. This is the way from promises into Effect. */
export async function performRun(shared: SharedParts, call: RunCall): Promise<WorkflowRun | InputRequired> {
  const { workflow, arguments: given, tools } = call.request
  if (call.options.signal?.aborted === true) throw new Cancelled()
  const params = applyParameters(workflow, given)
  const opened = await openState(shared, call)
  const watched = watchCalls(tools)
  const execution = createExecution(shared, call, {
    tools: watched,
    params: params instanceof WorkflowFailed ? {} : params,
    opened,
  })
  const { state, progress } = execution
  const interruption = createInterruption(call.options.signal)
  let stateId: string | undefined
  shared.store.start({ workflow: workflow.name, state, interrupt: interruption.interrupt })
  try {
    const part =
      params instanceof WorkflowFailed ? refuse(execution, params) : runEngine(execution, interruption, opened)
    const outcome = await part.finally(async () => {
      if (!watched.called && interruption.by !== 'id') stateId = await giveBack(shared, opened)
    })
    const result =
      outcome.type === 'ended'
        ? outcome.run
        : await ask(shared, call, { execution, interruption, stateId, workedMs: outcome.workedMs })
    shared.store.end(state.runId, 'resultType' in result ? 'waiting_for_elicitation' : result.status)
    return result
  } finally {
    // Without effect so far, a caller who gave up may still come back with the state it has.
    shared.store.end(state.runId, stateId === undefined ? 'cancelled' : 'waiting_for_elicitation')
    progress.close()
    interruption.release()
  }
}

function createExecution(
  shared: SharedParts,
  { identity, request, options }: RunCall,
  run: { readonly tools: StepTools; readonly params: JsonObject; readonly opened: OpenedState | undefined },
): Execution {
  const { client, forwardedHeaders } = options
  const snapshot = run.opened?.snapshot
  const state = snapshot === undefined ? new RunState(randomUUID(), Date.now()) : RunState.restore(snapshot)
  const answers = { responses: request.inputResponses ?? {}, asked: new Set(snapshot?.asked) }
  return {
    workflow: request.workflow,
    identity,
    tools: run.tools,
    params: run.params,
    state,
    callOptions: forwardedHeaders === undefined ? {} : { forwardedHeaders },
    asking: chooseAsking(client, shared.elicitation, answers),
    progress: createProgress(client, request.workflow.steps.length, state.records.keys()),
    observer: shared.observer,
    logger: shared.logger,
    now: Date.now,
  }
}

/** Ends a run whose arguments do not fit. A state never gets here: it is bound to arguments that did. */
async function refuse(execution: Execution, error: WorkflowFailed): Promise<EngineOutcome> {
  observeStart(execution)
  return { type: 'ended', run: endRun(execution, error) }
}

/** Runs the engine. A run that was interrupted by its id ends as cancelled; otherwise the call rejects with `Cancelled`. */
async function runEngine(
  execution: Execution,
  interruption: Interruption,
  opened: OpenedState | undefined,
): Promise<EngineOutcome> {
  if (opened === undefined) observeStart(execution)
  if (interruption.by !== undefined) return { type: 'ended', run: endInterrupted(execution, interruption.by) }
  const engine = runWorkflow(execution, opened?.snapshot.workedMs)
  const exit = await Effect.runPromiseExit(engine, { signal: interruption.signal })
  if (Exit.isSuccess(exit)) return exit.value
  const run =
    interruption.by === undefined
      ? endAfterDefect(execution, Cause.squash(exit.cause))
      : endInterrupted(execution, interruption.by)
  return { type: 'ended', run }
}

function observeStart({ observer, state, workflow }: Execution): void {
  observer.observe({
    type: 'workflow-started',
    runId: state.runId,
    workflow: workflow.name,
    timeoutMs: workflow.timeoutMs || limits.workflowTimeoutMs,
  })
}

/** The run that was cancelled by its id. For its caller, and at close, there is none: throws `Cancelled`. */
function endInterrupted(execution: Execution, by: InterruptedBy): WorkflowRun {
  const cancelled = new Cancelled(by === 'close' ? 'the composer is closed' : 'workflow cancelled')
  const run = endRun(execution, cancelled)
  if (by === 'id') return run
  throw cancelled
}

/** Something threw that must not. */
function endAfterDefect(execution: Execution, defect: unknown): WorkflowRun {
  const { state, workflow, logger } = execution
  const stepId = [...state.records.values()].find(({ status }) => status === 'running')?.stepId ?? ''
  logger.error('workflow engine failed', { workflow: workflow.name, step: stepId, error: messageOf(defect) })
  return endRun(execution, new WorkflowFailed(workflow.name, { _tag: 'Internal' }, 'internal error', { cause: defect }))
}

/** The questions of a run, unless it was interrupted meanwhile or cannot wait. */
async function ask(
  shared: SharedParts,
  call: RunCall,
  run: SuspendedRun & { readonly interruption: Interruption },
): Promise<WorkflowRun | InputRequired> {
  const asked = await sealQuestions(shared, call, run)
  if (run.interruption.by !== undefined) return endInterrupted(run.execution, run.interruption.by)
  return asked instanceof WorkflowFailed ? endRun(run.execution, asked) : asked
}
