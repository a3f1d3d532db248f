import { randomUUID } from 'node:crypto'
import { Cancelled, InvalidRequestState, WorkflowFailed } from '@vmcp/domain'
import type {
  CallOptions,
  ElicitationRequester,
  Identity,
  InputRequired,
  JsonObject,
  Logger,
  WorkflowObserver,
} from '@vmcp/domain'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { limits } from '../limits.js'
import { applyParameters } from '../parameters.js'
import type { RunRequest } from '../run-request.js'
import type { RunStore } from '../run-store.js'
import type { StateOwner, StateSeal } from '../suspension/sealed-state.js'
import type { WorkflowRun } from '../workflow-run.js'
import { chooseAsking } from './execution.js'
import type { Execution } from './execution.js'
import { createInterruption } from './interruption.js'
import type { Interruption } from './interruption.js'
import { createProgress } from './progress.js'
import { RunState } from './run-state.js'
import type { RunSnapshot } from './run-state.js'
import { endRun, runWorkflow } from './run-workflow.js'
import type { EngineOutcome } from './run-workflow.js'
import { messageOf } from './step-failure.js'

/** What all runs of a composer share. */
export interface SharedParts {
  readonly elicitation: ElicitationRequester | undefined
  readonly observer: WorkflowObserver
  readonly logger: Logger
  readonly store: RunStore
  readonly seal: StateSeal
}

/** One call of `Composer.run`. */
export interface RunCall {
  readonly identity: Identity | null
  readonly request: RunRequest
  readonly options: CallOptions
}

/** Carries one run from the call to its end, or to the questions it has. This is the way from promises into Effect. */
export async function performRun(shared: SharedParts, call: RunCall): Promise<WorkflowRun | InputRequired> {
  const { request, options } = call
  if (options.signal?.aborted === true) throw new Cancelled()
  const checked = applyParameters(request.workflow, request.arguments)
  const snapshot = await resumedState(shared, call)
  const execution = createExecution(shared, call, {
    params: checked instanceof WorkflowFailed ? {} : checked,
    state: snapshot === undefined ? new RunState(randomUUID(), Date.now()) : RunState.restore(snapshot),
    asked: new Set(snapshot?.asked),
  })
  const { runId } = execution.state
  const interruption = createInterruption(options.signal)
  shared.store.start({ workflow: request.workflow.name, state: execution.state, interrupt: interruption.interrupt })
  try {
    if (snapshot === undefined) observeStart(execution)
    const outcome: EngineOutcome =
      checked instanceof WorkflowFailed
        ? { type: 'ended', run: endRun(execution, checked) }
        : await runEngine(execution, interruption, snapshot?.workedMs)
    const result = outcome.type === 'ended' ? outcome.run : await suspend(shared, call, execution, outcome.workedMs)
    shared.store.end(runId, 'resultType' in result ? 'waiting_for_elicitation' : result.status)
    return result
  } finally {
    shared.store.end(runId, 'cancelled')
    interruption.release()
  }
}

async function resumedState({ seal, store, logger }: SharedParts, call: RunCall): Promise<RunSnapshot | undefined> {
  const { requestState } = call.request
  if (requestState === undefined) return undefined
  try {
    const snapshot = await seal.open(ownerOf(call), requestState)
    if (!store.isCancelled(snapshot.runId)) return snapshot
  } catch (error) {
    if (error instanceof InvalidRequestState) throw error
    logger.error('the store of used states failed: a state is refused', { error: messageOf(error) })
    throw new InvalidRequestState({ cause: error })
  }
  throw new InvalidRequestState()
}

function createExecution(
  shared: SharedParts,
  { identity, request, options }: RunCall,
  run: { readonly params: JsonObject; readonly state: RunState; readonly asked: ReadonlySet<string> },
): Execution {
  const { client, forwardedHeaders } = options
  return {
    workflow: request.workflow,
    identity,
    tools: request.tools,
    params: run.params,
    state: run.state,
    callOptions: forwardedHeaders === undefined ? {} : { forwardedHeaders },
    asking: chooseAsking(client, shared.elicitation, { responses: request.inputResponses ?? {}, asked: run.asked }),
    progress: createProgress(client, request.workflow.steps.length, run.state.records.keys()),
    observer: shared.observer,
    logger: shared.logger,
    now: Date.now,
  }
}

function observeStart({ observer, state, workflow }: Execution): void {
  observer.observe({
    type: 'workflow-started',
    runId: state.runId,
    workflow: workflow.name,
    timeoutMs: workflow.timeoutMs || limits.workflowTimeoutMs,
  })
}

/** Runs the engine. A run that was interrupted by its id ends as cancelled; otherwise the call rejects with `Cancelled`. */
async function runEngine(execution: Execution, interruption: Interruption, workedMs?: number): Promise<EngineOutcome> {
  const exit = await Effect.runPromiseExit(runWorkflow(execution, workedMs), { signal: interruption.signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (interruption.by === undefined) return { type: 'ended', run: endAfterDefect(execution, Cause.squash(exit.cause)) }
  const cancelled = new Cancelled(interruption.by === 'close' ? 'the composer is closed' : 'workflow cancelled')
  const run = endRun(execution, cancelled)
  if (interruption.by === 'id') return { type: 'ended', run }
  throw cancelled
}

/** Something threw that must not: the step that was running fails with it. */
function endAfterDefect(execution: Execution, defect: unknown): WorkflowRun {
  const { state, workflow, logger } = execution
  const stepId = [...state.records.values()].find(({ status }) => status === 'running')?.stepId ?? ''
  logger.error('workflow engine failed', { workflow: workflow.name, step: stepId, error: messageOf(defect) })
  const reason = { _tag: 'StepFailed', stepId } as const
  return endRun(execution, new WorkflowFailed(workflow.name, reason, 'internal error', { cause: defect }))
}

/** The questions with the sealed state, or a failed run when the state cannot be sent. */
async function suspend(
  { seal }: SharedParts,
  call: RunCall,
  execution: Execution,
  workedMs: number,
): Promise<WorkflowRun | InputRequired> {
  const { state, workflow } = execution
  const sealed = await seal.seal(ownerOf(call), state.snapshot(workedMs))
  if (sealed.ok) {
    const inputRequests = Object.fromEntries(state.questions)
    return { resultType: 'input_required', inputRequests, requestState: sealed.state }
  }
  const [stepId = ''] = state.questions.keys()
  const detail = `the workflow cannot wait for an answer: ${sealed.problem}`
  return endRun(execution, new WorkflowFailed(workflow.name, { _tag: 'StepFailed', stepId }, detail))
}

function ownerOf({ identity, request }: RunCall): StateOwner {
  return { identity, workflow: request.workflow, arguments: request.arguments ?? {} }
}
