/** Why a step failed, inside the engine. At the end of the run it becomes a `WorkflowFailed`. */
export interface StepFailure {
  /** Complete on its own; it names the step and holds no argument value. */
  readonly message: string
  /** What stopped it, kept as the cause of the workflow's error. */
  readonly cause?: unknown
  /** True when it was the tool that failed: only then `defaultResults` stand in for the output. */
  readonly duringCall?: boolean
  /** Set when the step's own time was over. */
  readonly timeoutMs?: number
  /** Calls after the first. */
  readonly retryCount?: number
  /** What there is of an output: the finished items of a forEach step. */
  readonly output?: unknown
}

/** A step failure that ends the workflow. */
export interface FatalStep {
  readonly _tag: 'FatalStep'
  readonly stepId: string
  readonly failure: StepFailure
}

/** The text of whatever was thrown. Never throws itself. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'something that has no text was thrown'
  }
}
