import type { JsonObject, JsonSchema, Meta } from '../json.js'
import type { Icon } from './annotations.js'
import type { ContentBlock } from './content.js'
import type { InputResponses } from './input-required.js'

/** Hints on what a tool does. They come from the backend and are not to be trusted for security. */
export interface ToolAnnotations {
  /** A name for people, used where the tool has no `title` of its own. */
  readonly title?: string
  /** It changes nothing. */
  readonly readOnlyHint?: boolean
  /** It may destroy something. */
  readonly destructiveHint?: boolean
  /** Calling it twice with the same arguments is calling it once. */
  readonly idempotentHint?: boolean
  /** It reaches beyond a closed world (the web, for example). */
  readonly openWorldHint?: boolean
  readonly [field: string]: unknown
}

/** A tool as it is advertised (MCP "Tools"). Fields this version does not know are kept. */
export interface Tool {
  /** The advertised name: 1-128 of `[A-Za-z0-9_.-]`. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What it does, as a hint to the model. */
  readonly description?: string
  /** JSON Schema of the arguments: always an object. */
  readonly inputSchema: JsonSchema
  /** JSON Schema of `structuredContent`; absent when it promises none. */
  readonly outputSchema?: JsonSchema
  /** Hints on what it does. */
  readonly annotations?: ToolAnnotations
  /** Icons to show beside it. */
  readonly icons?: readonly Icon[]
  /** Execution hints of revision 2025-11-25, such as `taskSupport`. */
  readonly execution?: JsonObject
  /** Sent as `_meta`. */
  readonly meta?: Meta
  /** The backend that serves it; absent on a composite tool. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}

/** One call of a tool. */
export interface CallToolRequest {
  /** The advertised name. It is looked up, never parsed. */
  readonly name: string
  /** The arguments; absent means `{}`. Read-only: copy before changing. */
  readonly arguments?: JsonObject
  /** Forwarded to the backend, minus reserved keys; not forwarded to the steps of a composite tool. Read-only. */
  readonly meta?: Meta
  /** Answers to the questions of an earlier `InputRequired` (2026-07-28). */
  readonly inputResponses?: InputResponses
  /** The `requestState` of that earlier result, unchanged. */
  readonly requestState?: string
}

/** What a tool answered. A tool that ran and failed is a result with `isError`, not an error. */
export interface CallToolResult {
  /** The answer in blocks, for the model to read. */
  readonly content: readonly ContentBlock[]
  /** An object in 2025-11-25, any JSON value in 2026-07-28. */
  readonly structuredContent?: unknown
  /** True when the tool ran and failed; false when absent. */
  readonly isError?: boolean
  /** Sent as `_meta`. */
  readonly meta?: Meta
  /** The backend that answered; absent for a composite tool. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}
