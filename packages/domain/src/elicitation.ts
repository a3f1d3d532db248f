import type { JsonSchema, Meta } from './json.js'

/** A question to the user, form mode (MCP "Elicitation"). */
export interface ElicitationRequest {
  /** What the user reads. */
  readonly message: string
  /** The form: a JSON Schema object with primitive properties, passed through. */
  readonly requestedSchema: JsonSchema
  /** Sent as `_meta` without reserved keys; absent stays absent. */
  readonly meta?: Meta
}

/** What the user did. */
export interface ElicitationResult {
  /** `accept` sends the form, `decline` refuses it, `cancel` closes it without a choice. */
  readonly action: 'accept' | 'decline' | 'cancel'
  /** The form's values on `accept`. Not interpreted here: the receiver checks that it is an object. */
  readonly content?: unknown
}

/**
 * The way to ask the user something.
 * Rejects with `Cancelled` when the signal aborts, and with the channel's own failure otherwise.
 */
export interface ElicitationRequester {
  /** Asks, and resolves once the user has answered, declined or cancelled. */
  requestElicitation(
    request: ElicitationRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ElicitationResult>
}
