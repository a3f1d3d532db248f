import type { Meta } from '../json.js'

/** What is being completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | {
      readonly type: 'ref/prompt'
      /** The advertised name of the prompt. */
      readonly name: string
    }
  | {
      readonly type: 'ref/resource'
      /** The text of the template, or the URI of a resource. */
      readonly uri: string
    }

/** A request for suggestions (MCP "Completion"). */
export interface CompleteRequest {
  /** Whose argument or variable it is. */
  readonly ref: CompletionReference
  /** The argument or variable to complete, and what was typed of it so far. */
  readonly argument: { readonly name: string; readonly value: string }
  /** Arguments already chosen. */
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> }
  /** Forwarded to the backend, minus reserved keys. Read-only. */
  readonly meta?: Meta
}

/** Suggestions, best first; empty when nobody can complete the reference. */
export interface CompleteResult {
  /** At most 100. */
  readonly values: readonly string[]
  /** How many there are in all, if known. */
  readonly total?: number
  /** True when there are more than `values` holds. */
  readonly hasMore?: boolean
  /** Sent as `_meta`. */
  readonly meta?: Meta
}
