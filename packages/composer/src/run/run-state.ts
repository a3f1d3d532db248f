import type { InputRequest, JsonObject } from '@vmcp/domain'
import type { StepRecord } from '../workflow-run.js'

/** What templates see of a step under `.steps.<id>`. */
export interface StepData {
  readonly status: string
  readonly output: unknown
  readonly content: JsonObject
  readonly error?: string
}

/** Where a run stands, as plain JSON: what is sealed when a run waits for an answer. */
export interface RunSnapshot {
  readonly runId: string
  readonly startedAt: number
  /** Milliseconds that the run has worked so far; waiting for the caller does not count. */
  readonly workedMs: number
  readonly steps: readonly StepRecord[]
  /** The step that completed last. */
  readonly lastCompleted?: string
  readonly skipsRemaining?: boolean
  /** The steps that wait for an answer. */
  readonly asked: readonly string[]
}

/** The state of one run. Records are replaced whole, and what templates see follows them. */
export class RunState {
  readonly runId: string
  readonly startedAt: number
  readonly records = new Map<string, StepRecord>()
  /** The `.steps` of templates. It has no prototype: any step id is safe. */
  readonly stepData: Record<string, StepData> = Object.create(null) as Record<string, StepData>
  /** Questions by the id of the step that asks. */
  readonly questions = new Map<string, InputRequest>()
  /** True once the user chose that nothing more shall run. */
  skipsRemaining = false
  /** The step that completed last. */
  lastCompleted: string | undefined

  constructor(runId: string, startedAt: number) {
    this.runId = runId
    this.startedAt = startedAt
  }

  /** The state a snapshot was taken of. */
  static restore(snapshot: RunSnapshot): RunState {
    const state = new RunState(snapshot.runId, snapshot.startedAt)
    for (const record of snapshot.steps) state.record(record)
    state.lastCompleted = snapshot.lastCompleted
    state.skipsRemaining = snapshot.skipsRemaining ?? false
    return state
  }

  record(record: StepRecord): void {
    this.records.set(record.stepId, record)
    if (record.status === 'completed') this.lastCompleted = record.stepId
    this.stepData[record.stepId] = {
      status: record.status,
      output: record.output ?? null,
      content: record.content ?? {},
      ...(record.error !== undefined && { error: record.error }),
    }
  }

  /** Forgets a step that waits for an answer: it starts anew when the answer is there. */
  suspend(stepId: string, question: InputRequest): void {
    this.questions.set(stepId, question)
    this.records.delete(stepId)
    delete this.stepData[stepId]
  }

  snapshot(workedMs: number): RunSnapshot {
    return {
      runId: this.runId,
      startedAt: this.startedAt,
      workedMs,
      steps: [...this.records.values()],
      ...(this.lastCompleted !== undefined && { lastCompleted: this.lastCompleted }),
      ...(this.skipsRemaining && { skipsRemaining: true }),
      asked: [...this.questions.keys()],
    }
  }
}
