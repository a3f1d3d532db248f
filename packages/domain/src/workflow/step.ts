import type { JsonObject, JsonSchema } from '../json.js'

/** What to do when a step fails. */
export type OnError =
  | { readonly action: 'abort' }
  | { readonly action: 'continue' }
  | {
      readonly action: 'retry'
      /** Attempts after the first, at most 10. */
      readonly retryCount: number
      /** Milliseconds before the first retry; 1000 when absent. Grows by half each time, at most 60 times itself. */
      readonly retryDelayMs?: number
    }

/** What to do when the user declines or cancels. */
export interface OnRefusal {
  /** `abort` fails the workflow; `continue` goes on; `skip_remaining` completes it without the steps that have not run. */
  readonly action: 'abort' | 'continue' | 'skip_remaining'
}

/** What every step has. */
export interface StepCommon {
  /** Unique in the workflow. */
  readonly id: string
  /** Steps that must end first. Without any, the step starts at once. */
  readonly dependsOn?: readonly string[]
  /** A template that renders `true` or `false`; on `false` the step is skipped. */
  readonly condition?: string
  /** Milliseconds for the whole step, retries included; 5 minutes when absent. */
  readonly timeoutMs?: number
  /** What to do when it fails; `abort` when absent. */
  readonly onError?: OnError
  /** The step's output when it is skipped, or when its call failed and `onError` continues. */
  readonly defaultResults?: JsonObject
}

/** Calls a tool. */
export interface ToolStep extends StepCommon {
  readonly type: 'tool'
  /** An advertised name, or `backend.tool` with the backend's own name. Hidden tools may be used. */
  readonly tool: string
  /** Strings in it are templates. */
  readonly arguments?: JsonObject
}

/** Asks the user. */
export interface ElicitationStep extends StepCommon {
  readonly type: 'elicitation'
  /** A template. */
  readonly message: string
  /** The form: a JSON Schema object with primitive properties. */
  readonly schema: JsonSchema
  /** For a refusal; `abort` when absent. */
  readonly onDecline?: OnRefusal
  /** For a cancel, and for no answer in time. */
  readonly onCancel?: OnRefusal
}

/** Calls a tool for each item of a list. */
export interface ForEachStep extends StepCommon {
  readonly type: 'forEach'
  /** A template that renders a JSON array. */
  readonly collection: string
  /** The item's name under `.forEach`; `item` when absent. */
  readonly itemVar?: string
  /** Calls at one time: 10 when absent, at most 50. */
  readonly maxParallel?: number
  /** Items: 100 when absent, at most 1000; more is an error. */
  readonly maxIterations?: number
  /** What to do for each item. */
  readonly step: InnerStep
}

/** What a forEach step does for one item. */
export interface InnerStep {
  /** A name for people; nothing refers to it. */
  readonly id?: string
  /** An advertised name, or `backend.tool`, as on a tool step. */
  readonly tool: string
  /** Strings in it are templates; `.forEach` holds the item and its index. */
  readonly arguments?: JsonObject
  /** What to do when it fails; `abort` when absent. */
  readonly onError?: OnError
}

/** One step of a workflow. */
export type WorkflowStep = ToolStep | ElicitationStep | ForEachStep
