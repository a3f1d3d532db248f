import type {
  CallOptions,
  ClientChannel,
  ElicitationRequester,
  Identity,
  InputResponses,
  JsonObject,
  Logger,
  Workflow,
  WorkflowObserver,
} from '@vmcp/domain'
import type { StepTools } from '../run-request.js'
import type { TemplateData } from '../template/template.js'
import type { Progress } from './progress.js'
import type { RunState } from './run-state.js'

/** Everything that the steps of one run share. */
export interface Execution {
  readonly workflow: Workflow
  readonly identity: Identity | null
  readonly tools: StepTools
  /** The caller's arguments with defaults. */
  readonly params: JsonObject
  readonly state: RunState
  /** What goes with every call of a step, apart from its signal and channel. */
  readonly callOptions: CallOptions
  readonly asking: Asking
  readonly progress: Progress
  readonly observer: WorkflowObserver
  readonly logger: Logger
  /** Milliseconds since 1970. */
  now(): number
}

/** How the user is asked: now, by calling again, or not at all. */
export type Asking =
  | { readonly type: 'push'; readonly requester: ElicitationRequester }
  | { readonly type: 'retry'; readonly responses: InputResponses; readonly asked: ReadonlySet<string> }
  | { readonly type: 'none' }

/** The way of asking that a call's client allows; without a client, the configured requester. */
export function chooseAsking(
  client: ClientChannel | undefined,
  configured: ElicitationRequester | undefined,
  answers: { readonly responses: InputResponses; readonly asked: ReadonlySet<string> },
): Asking {
  if (client?.answers === 'retry') {
    return client.capabilities.elicitation?.form === true ? { type: 'retry', ...answers } : { type: 'none' }
  }
  const requester = client === undefined ? configured : client.elicitation
  return requester === undefined ? { type: 'none' } : { type: 'push', requester }
}

/** What the templates of a step read. `forEach` is given to the inner arguments of a forEach step only. */
export function templateData(execution: Execution, forEach?: JsonObject): TemplateData {
  const facts = { status: 'running', step_count: 0, duration_ms: 0 }
  return { ...dataWith(execution, facts), ...(forEach !== undefined && { forEach }) }
}

/** What the templates of the output read: the workflow is complete there. */
export function outputTemplateData(execution: Execution): TemplateData {
  const { state } = execution
  const completed = [...state.records.values()].filter((record) => record.status === 'completed')
  const durationMs = execution.now() - state.startedAt
  return dataWith(execution, { status: 'completed', step_count: completed.length, duration_ms: durationMs })
}

/** `facts` are what `.workflow` says of the run besides its id and start. */
function dataWith({ params, state }: Execution, facts: JsonObject): TemplateData {
  const workflow = { id: state.runId, ...facts, start_time: timestamp(state.startedAt) }
  return { params, steps: state.stepData, vars: {}, workflow }
}

/** RFC 3339 in UTC, whole seconds. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}
