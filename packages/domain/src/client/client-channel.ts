import type { InputRequest } from '../capability/input-required.js'
import type { ElicitationRequester } from '../elicitation.js'
import type { JsonObject } from '../json.js'

/** What the calling client can be asked. */
export interface ClientCapabilities {
  /** It can ask its user: by a form, by a URL, or both (MCP "Elicitation"). */
  readonly elicitation?: { readonly form?: boolean; readonly url?: boolean }
  /** It can ask its model, with `tools` also offering it tools (MCP "Sampling"). */
  readonly sampling?: { readonly tools?: boolean }
  /** It can list the folders it works in (MCP "Roots"). */
  readonly roots?: boolean
  /** It tells when those folders change (2025-11-25). */
  readonly rootsListChanged?: boolean
}

/** A notification that belongs to the call it comes from. */
export type CallNotification =
  | {
      readonly type: 'progress'
      /** Rises with each report. */
      readonly progress: number
      /** What `progress` will be at the end, if known. */
      readonly total?: number
      /** What is being done, for people. */
      readonly message?: string
    }
  | {
      readonly type: 'log'
      /** `debug` … `emergency` (RFC 5424). */
      readonly level: string
      /** The part of the server that says it. */
      readonly logger?: string
      /** What is said: any JSON value, often a text. */
      readonly data: unknown
    }
  | {
      /** What the user did out of band for an elicitation by URL is complete. It may come after the call (2025-11-25). */
      readonly type: 'elicitation-complete'
      /** The id that the elicitation by URL was asked with. */
      readonly elicitationId: string
    }

/**
 * The calling client, for the time of one call: the way back for questions, progress and log messages.
 * It carries no identity. It may be an instance of a class: wrap it to change it, since a copy by spread may lack its methods.
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
