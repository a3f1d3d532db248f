import type {
  CallOptions,
  CallToolRequest,
  CallToolResult,
  Identity,
  InputRequired,
  InputResponses,
  JsonObject,
  Tool,
  Workflow,
} from '@vmcp/domain'

/** A tool as a step sees it. */
export interface StepTool {
  /** The advertised name. */
  readonly name: string
  /** What is advertised. Absent for a hidden tool: its arguments are not coerced and its hints count as unknown. */
  readonly tool?: Tool
}

/**
 * How the steps of one call reach tools. Given anew for each run, so that it can hold the caller's view.
 * Steps bypass admission, and they may use tools that are hidden from clients.
 */
export interface StepTools {
  /** The tool of an advertised name or of `backend.tool`; undefined when nobody offers it. */
  resolve(reference: string): StepTool | undefined
  /** Calls a tool. `request.name` is the reference as the workflow has it. `options.signal` aborts with the step. */
  call(
    identity: Identity | null,
    request: CallToolRequest,
    options?: CallOptions,
  ): Promise<CallToolResult | InputRequired>
}

/** One use of a workflow. */
export interface RunRequest {
  /** The workflow to run: one that `validateWorkflow` accepts. */
  readonly workflow: Workflow
  /** The tools that this caller's run may use. */
  readonly tools: StepTools
  /** The caller's arguments; absent means `{}`. Read-only: defaults are applied to a copy. */
  readonly arguments?: JsonObject
  /** Answers to the questions of an earlier `InputRequired`, by step id. */
  readonly inputResponses?: InputResponses
  /** The `requestState` of that earlier result, unchanged. */
  readonly requestState?: string
}
