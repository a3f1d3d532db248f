import type { PlannedStep, WorkflowPlan } from '@vmcp/composer'
import type { ToolState } from './tool-state.js'

/** A plan and, when the backends were asked, how a caller finds its tools. */
export interface PlanReport {
  readonly plan: WorkflowPlan
  readonly description: string
  /** Absent when the backends were not asked. */
  readonly standing?: Standing
}

/** What a workflow is for one caller. */
export interface Standing {
  /** The caller, for people. */
  readonly caller: string
  /** Whether the workflow itself is in the caller's list, and why not. */
  readonly workflow: ToolState
  /** The tools of its steps. */
  readonly tools: readonly ToolState[]
}

/** How the caller finds the tool of a step. */
export function toolStateOf({ standing }: PlanReport, { tool }: PlannedStep): ToolState | undefined {
  return standing?.tools.find(({ reference }) => reference === tool)
}
