import { NotFound } from '@vmcp/domain'
import { limits } from './limits.js'
import type { RunState } from './run/run-state.js'
import type { StepStatus, WorkflowRunStatus } from './workflow-run.js'

/** Where a run stands. */
export interface RunStatus {
  /** The id that the observer's events carry: a UUID. */
  readonly runId: string
  /** The workflow's name. */
  readonly workflow: string
  /** How it ended, or that it runs or waits for its caller. */
  readonly status: 'running' | 'waiting_for_elicitation' | WorkflowRunStatus
  /** The steps that have started, in the order they did. */
  readonly steps: readonly { readonly stepId: string; readonly status: StepStatus }[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds since 1970; absent while it runs. */
  readonly endedAt?: number
}

interface RunningRun {
  readonly workflow: string
  readonly state: RunState
  interrupt(by: 'id' | 'close'): void
}

/**
 * The runs of one process: those that run, and for an hour the status of the last thousand that do not.
 * It keeps neither arguments nor outputs.
 */
export class RunStore {
  readonly #now: () => number
  readonly #running = new Map<string, RunningRun>()
  /** By id, oldest first. */
  readonly #ended = new Map<string, RunStatus & { readonly endedAt: number }>()
  /** When which runs were cancelled while they waited for their caller, oldest first. */
  readonly #revoked = new Map<string, number>()
  #closed = false

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Notes a run that starts or goes on; after `close` it is interrupted at once. */
  start(run: RunningRun): void {
    this.#ended.delete(run.state.runId)
    this.#running.set(run.state.runId, run)
    if (this.#closed) run.interrupt('close')
  }

  /** Notes that a run has ended, or waits for its caller. */
  end(runId: string, status: Exclude<RunStatus['status'], 'running'>): void {
    const run = this.#running.get(runId)
    if (run === undefined) return
    this.#running.delete(runId)
    this.#ended.set(runId, { ...describe(run), status, endedAt: this.#now() })
    this.#forgetOld()
  }

  /** A copy of what is known now. Throws `NotFound`. */
  status(runId: string): RunStatus {
    this.#forgetOld()
    const running = this.#running.get(runId)
    const status = running === undefined ? this.#ended.get(runId) : describe(running)
    if (status === undefined) throw new NotFound('workflow', runId)
    return status
  }

  /** Interrupts a run; gives its status before. A run that waits for its caller will not be resumed here. */
  cancel(runId: string): RunStatus {
    const status = this.status(runId)
    if (status.status === 'waiting_for_elicitation') {
      this.#revoked.set(runId, this.#now())
      this.#ended.delete(runId)
      this.#ended.set(runId, { ...status, status: 'cancelled', endedAt: this.#now() })
    }
    this.#running.get(runId)?.interrupt('id')
    return status
  }

  /** Every run that is known, those that run first. */
  all(): readonly RunStatus[] {
    this.#forgetOld()
    return [...[...this.#running.values()].map(describe), ...this.#ended.values()]
  }

  /** True for a run that was cancelled while it waited for its caller. */
  isCancelled(runId: string): boolean {
    return this.#revoked.has(runId)
  }

  /** Interrupts every run, those that still start included. */
  close(): void {
    this.#closed = true
    for (const run of this.#running.values()) run.interrupt('close')
  }

  #forgetOld(): void {
    const oldest = this.#now() - limits.keptRunMs
    for (const [runId, { endedAt }] of this.#ended) {
      if (endedAt >= oldest && this.#ended.size <= limits.keptRuns) break
      this.#ended.delete(runId)
    }
    for (const [runId, revokedAt] of this.#revoked) {
      if (revokedAt >= oldest) break
      this.#revoked.delete(runId)
    }
  }
}

function describe({ workflow, state }: RunningRun): RunStatus {
  const steps = [...state.records.values()].map(({ stepId, status }) => ({ stepId, status }))
  return { runId: state.runId, workflow, status: 'running', steps, startedAt: state.startedAt }
}
