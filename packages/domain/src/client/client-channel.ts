import type { InputRequest } from '../capability/input-required.js'
import type { ElicitationRequester } from '../elicitation.js'
import type { JsonObject } from '../json.js'

/** What the calling client can be asked. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: boolean; readonly url?: boolean }
  readonly sampling?: { readonly tools?: boolean }
  readonly roots?: boolean
}

/** A notification that belongs to the call it comes from. */
export type CallNotification =
  | {
      readonly type: 'progress'
      /** Rises with each report. */
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  | {
      readonly type: 'log'
      /** `debug` … `emergency` (RFC 5424). */
      readonly level: string
      readonly logger?: string
      readonly data: unknown
    }
  | {
      /** What the user did out of band for an elicitation by URL is complete. It may come after the call (2025-11-25). */
      readonly type: 'elicitation-complete'
      readonly elicitationId: string
    }

/**
 * The calling client, for the time of one call: the way back for questions, progress and log messages.
 * It carries no identity.
 */
export interface ClientChannel {
  /** What the client declared. Ask for nothing else. */
  readonly capabilities: ClientCapabilities
  /**
   * How the client answers a question: `push` while the call runs (2025-11-25),
   * `retry` by calling again with the answers (2026-07-28).
   */
  readonly answers: 'push' | 'retry'
  /** Asks the user, form mode. Absent when the client cannot be asked while the call runs. */
  readonly elicitation?: ElicitationRequester
  /** Forwards a backend's own question (any mode) and resolves with the client's raw answer. Absent as `elicitation`. */
  forward?(request: InputRequest, options?: { readonly signal?: AbortSignal }): Promise<JsonObject>
  /** True when the client asked for progress. Without it, progress need not be made. */
  readonly wantsProgress: boolean
  /** Sends a notification. Never throws; a client that is gone is ignored. */
  notify(notification: CallNotification): void
}
