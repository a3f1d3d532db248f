import type { CallOptions, ElicitationRequester, Identity, Logger, WorkflowObserver } from '@vmcp/domain'
import type { RunRequest } from '../run-request.js'
import type { RunStore } from '../run-store.js'
import type { StateSeal } from '../suspension/sealed-state.js'

/** What all runs of a composer share. */
export interface SharedParts {
  readonly elicitation: ElicitationRequester | undefined
  readonly observer: WorkflowObserver
  readonly logger: Logger
  readonly store: RunStore
  readonly seal: StateSeal
}

/** One call of `Composer.run`. */
export interface RunCall {
  readonly identity: Identity | null
  readonly request: RunRequest
  readonly options: CallOptions
}
