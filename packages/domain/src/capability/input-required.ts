import type { JsonObject, Meta } from '../json.js'

/** A question that a backend or a workflow has for the client, as it goes on the wire. */
export interface InputRequest {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string
  /** What that method takes (MCP "Elicitation", "Sampling", "Roots"). */
  readonly params?: JsonObject
}

/** Answers by the key of their question. */
export type InputResponses = Readonly<Record<string, JsonObject>>

/**
 * The answer "ask the client first, then call again" (2026-07-28, SEP-2322).
 * It has questions, a state to send back, or both.
 */
export interface InputRequired {
  readonly resultType: 'input_required'
  /** Questions by a key that their answers are given under. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>>
  /** Opaque; the client sends it back unchanged. An empty text is not an absent one. */
  readonly requestState?: string
  /** Sent as `_meta`. */
  readonly meta?: Meta
}

/** True when the verb did not finish and needs answers. */
export function isInputRequired(
  result: { readonly [field: string]: unknown } | InputRequired,
): result is InputRequired {
  return (result as { resultType?: unknown }).resultType === 'input_required'
}
