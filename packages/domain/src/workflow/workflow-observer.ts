/** Something that happened in a run of a workflow. It holds no error text and no argument. */
export type WorkflowEvent =
  | {
      readonly type: 'workflow-started'
      /** A UUID, the same in every event of a run. */
      readonly runId: string
      /** The name of the workflow. */
      readonly workflow: string
      /** Milliseconds that the whole run has. */
      readonly timeoutMs: number
    }
  | {
      /** How the run ended; a cancelled one counts as failed. */
      readonly type: 'workflow-completed' | 'workflow-failed' | 'workflow-timed-out'
      /** The run, as when it started. */
      readonly runId: string
      /** The name of the workflow. */
      readonly workflow: string
      /** Milliseconds from start to end. */
      readonly durationMs: number
      /** How many steps have a record. */
      readonly stepCount: number
    }
  | {
      readonly type: 'step-started'
      /** The run, as when it started. */
      readonly runId: string
      /** The step, by its id in the workflow. */
      readonly stepId: string
      /** What the step does. */
      readonly stepType: 'tool' | 'elicitation' | 'forEach'
      /** On tool steps. */
      readonly tool?: string
    }
  | {
      /** How the step ended; one that was running when the workflow ended counts as failed. */
      readonly type: 'step-completed' | 'step-failed'
      /** The run, as when it started. */
      readonly runId: string
      /** The step, by its id in the workflow. */
      readonly stepId: string
      /** Milliseconds from start to end, retries included. */
      readonly durationMs: number
      /** Calls after the first. */
      readonly retryCount: number
    }
  | {
      readonly type: 'step-skipped'
      /** The run, as when it started. */
      readonly runId: string
      /** The step, by its id in the workflow. */
      readonly stepId: string
      /** The template that rendered `false`; empty when an answer skipped the steps that were left. */
      readonly condition: string
    }

/** Watches workflows, for audit and metrics. It must not throw. */
export interface WorkflowObserver {
  /** Takes one event, in the order they happen. What it does must not take long: the run waits. */
  observe(event: WorkflowEvent): void
}
