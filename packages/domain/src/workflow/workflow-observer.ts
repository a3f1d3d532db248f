/** Something that happened in a run of a workflow. It holds no error text and no argument. */
export type WorkflowEvent =
  | { readonly type: 'workflow-started'; readonly runId: string; readonly workflow: string; readonly timeoutMs: number }
  | {
      readonly type: 'workflow-completed' | 'workflow-failed' | 'workflow-timed-out'
      readonly runId: string
      readonly workflow: string
      readonly durationMs: number
      /** How many steps have a record. */
      readonly stepCount: number
    }
  | {
      readonly type: 'step-started'
      readonly runId: string
      readonly stepId: string
      readonly stepType: 'tool' | 'elicitation' | 'forEach'
      /** On tool steps. */
      readonly tool?: string
    }
  | {
      readonly type: 'step-completed' | 'step-failed'
      readonly runId: string
      readonly stepId: string
      readonly durationMs: number
      readonly retryCount: number
    }
  | { readonly type: 'step-skipped'; readonly runId: string; readonly stepId: string; readonly condition: string }

/** Watches workflows, for audit and metrics. It must not throw. */
export interface WorkflowObserver {
  observe(event: WorkflowEvent): void
}
