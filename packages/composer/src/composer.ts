import type { CallOptions, ElicitationRequester, Identity, InputRequired, Logger, WorkflowObserver } from '@vmcp/domain'
import { Cancelled, InternalError, isVmcpError, silentLogger } from '@vmcp/domain'
import { safeObserver } from './safe-observer.js'
import type { RunRequest } from './run-request.js'
import { RunStore } from './run-store.js'
import type { RunStatus } from './run-store.js'
import { performRun } from './run/perform-run.js'
import { messageOf } from './run/step-failure.js'
import { createStateSeal } from './suspension/sealed-state.js'
import type { SuspensionConfig } from './suspension/suspension-config.js'
import type { WorkflowRun } from './workflow-run.js'

/** What a composer needs. Everything has a default. */
export interface ComposerConfig {
  /** Whom workflows ask when a call comes without a client. */
  readonly elicitation?: ElicitationRequester
  /** Watches runs and steps. What it throws is logged and changes nothing. */
  readonly observer?: WorkflowObserver
  /** Silent when absent. */
  readonly logger?: Logger
  /** How runs wait for callers who answer by calling again. */
  readonly suspension?: SuspensionConfig
}

/** Runs workflows. Safe for concurrent use. */
export interface Composer {
  /**
   * Runs a workflow, or goes on with one. A workflow that fails is a run with an error, never a rejection. It gives
   * `InputRequired` when a step must ask a caller who answers by calling again. Rejects with `Cancelled` when
   * `options.signal` aborts or the composer is closed, and with `InvalidRequestState` for a `requestState` that is forged,
   * expired, used or made for another caller, workflow or arguments. A workflow that `validateWorkflow` refuses may reject
   * with `InternalError`.
   */
  run(identity: Identity | null, request: RunRequest, options?: CallOptions): Promise<WorkflowRun | InputRequired>
  /** Where a run stands; its id is in the observer's events. Kept for an hour. Throws `NotFound`. */
  status(runId: string): RunStatus
  /** Every run that is known. */
  runs(): readonly RunStatus[]
  /**
   * Interrupts a run, down to the tools its steps are calling; the run then ends as `cancelled`. Gives the status it had.
   * A run that has ended stays as it is. Throws `NotFound`.
   */
  cancel(runId: string): RunStatus
  /** Refuses new runs, interrupts the running ones and waits for them. Idempotent. */
  close(): Promise<void>
}

/** Makes a composer. Throws `InvalidConfig` when a suspension key is too short or has the id of another. */
export function createComposer(config: ComposerConfig = {}): Composer {
  const logger = config.logger ?? silentLogger
  const store = new RunStore()
  const shared = {
    logger,
    store,
    elicitation: config.elicitation,
    observer: safeObserver(config.observer, logger),
    seal: createStateSeal(config.suspension),
  }
  const running = new Set<Promise<unknown>>()
  let closed = false

  return {
    async run(identity, request, options = {}) {
      if (closed) throw new Cancelled('the composer is closed')
      const run = performRun(shared, { identity, request, options })
      running.add(run)
      try {
        return await run
      } catch (error) {
        if (isVmcpError(error)) throw error
        logger.error('workflow engine failed', { error: messageOf(error) })
        throw new InternalError({ cause: error })
      } finally {
        running.delete(run)
      }
    },
    status: (runId) => store.status(runId),
    runs: () => store.all(),
    cancel: (runId) => store.cancel(runId),
    async close() {
      closed = true
      store.close()
      await Promise.allSettled(running)
    },
  }
}
