import type { Cancelled, JsonObject, WorkflowFailed } from '@vmcp/domain'

/** Where a step stands. `cancelled`: it was running when the workflow ended. A step without a record has not started. */
export type StepStatus = 'running' | 'completed' | 'failed' | 'skipped' | 'cancelled'

/** What is known of one step. Plain JSON. */
export interface StepRecord {
  /** Its id in the workflow. */
  readonly stepId: string
  /** Where it stands. */
  readonly status: StepStatus
  /** What `.steps.<id>.output` reads. */
  readonly output?: unknown
  /** What `.steps.<id>.content` reads: texts, images and resources of a tool's result by kind and number. */
  readonly content?: JsonObject
  /** Why it failed. It holds no argument value. */
  readonly error?: string
  /** Calls after the first. */
  readonly retryCount: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds; absent while it runs. */
  readonly durationMs?: number
}

/** How a run ended. */
export type WorkflowRunStatus = 'completed' | 'failed' | 'timed_out' | 'cancelled'

/** A run that has ended. */
export interface WorkflowRun {
  /** The id that the observer's events carry: a UUID. */
  readonly runId: string
  /** The workflow's name. */
  readonly workflow: string
  /** How it ended. */
  readonly status: WorkflowRunStatus
  /** Records in the order of the definition. Steps that never started have none. */
  readonly steps: readonly StepRecord[]
  /** On `completed`; absent when no step had one. */
  readonly output?: unknown
  /** Unless completed; `Cancelled` when the run was cancelled by its id. */
  readonly error?: WorkflowFailed | Cancelled
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds from start to end, waits for the caller included. */
  readonly durationMs: number
}
