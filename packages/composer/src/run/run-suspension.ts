import { InvalidRequestState, WorkflowFailed } from '@vmcp/domain'
import type { InputRequired } from '@vmcp/domain'
import type { OpenedState, StateOwner } from '../suspension/sealed-state.js'
import type { Execution } from './execution.js'
import type { RunCall, SharedParts } from './run-call.js'
import { messageOf } from './step-failure.js'

/** A run that has questions for a caller who answers by calling again. */
export interface SuspendedRun {
  readonly execution: Execution
  /** Milliseconds that it has worked so far. */
  readonly workedMs: number
  /** The state it came from, when no tool was called since. */
  readonly stateId: string | undefined
}

/** Opens the state that a call came back with: none for one that starts a run. Rejects with `InvalidRequestState`. */
export async function openState(shared: SharedParts, call: RunCall): Promise<OpenedState | undefined> {
  const { requestState } = call.request
  if (requestState === undefined) return undefined
  try {
    const opened = await shared.seal.open(ownerOf(call), requestState)
    if (!shared.store.isCancelled(opened.snapshot.runId)) return opened
  } catch (error) {
    if (error instanceof InvalidRequestState) throw error
    shared.logger.error('a workflow state cannot be opened and is refused', { error: messageOf(error) })
    throw new InvalidRequestState({ cause: error })
  }
  throw new InvalidRequestState()
}

/** Lets the caller come back with the same state. Gives its id, or undefined when the state stays used up. */
export async function giveBack({ logger }: SharedParts, opened: OpenedState | undefined): Promise<string | undefined> {
  if (opened === undefined) return undefined
  try {
    return (await opened.giveBack()) ? opened.id : undefined
  } catch (error) {
    logger.warn('a workflow state cannot be given back and stays used', { error: messageOf(error) })
    return undefined
  }
}

/** The questions of a run with its sealed state, or why that cannot be sent. */
export async function sealQuestions(
  { seal }: SharedParts,
  call: RunCall,
  run: SuspendedRun,
): Promise<InputRequired | WorkflowFailed> {
  const { state, workflow } = run.execution
  const sealed = await seal.seal(ownerOf(call), state.snapshot(run.workedMs), run.stateId)
  if (sealed.ok) {
    const inputRequests = Object.fromEntries(state.questions)
    return { resultType: 'input_required', inputRequests, requestState: sealed.state }
  }
  const [stepId = ''] = state.questions.keys()
  const detail = `the workflow cannot wait for an answer: ${sealed.problem}`
  return new WorkflowFailed(workflow.name, { _tag: 'CannotSuspend', stepId }, detail)
}

function ownerOf({ identity, request }: RunCall): StateOwner {
  return { identity, workflow: request.workflow, arguments: request.arguments ?? {} }
}
