import type { Meta } from '../json.js'
import type { Icon } from './annotations.js'
import type { ContentBlock } from './content.js'
import type { InputResponses } from './input-required.js'

/** An argument of a prompt. Its value is always text. */
export interface PromptArgument {
  /** The key it is given under. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What to put in it. */
  readonly description?: string
  /** True when the prompt cannot do without it; false when absent. */
  readonly required?: boolean
  readonly [field: string]: unknown
}

/** A prompt as it is advertised (MCP "Prompts"). Fields this version does not know are kept. */
export interface Prompt {
  /** The advertised name, which `getPrompt` takes. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What the prompt is for. */
  readonly description?: string
  /** The arguments it takes; none when absent. */
  readonly arguments?: readonly PromptArgument[]
  /** Icons to show beside it. */
  readonly icons?: readonly Icon[]
  /** Sent as `_meta`. */
  readonly meta?: Meta
  /** The backend that serves it. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}

/** One use of a prompt. */
export interface GetPromptRequest {
  /** The advertised name. */
  readonly name: string
  /** Argument texts by name. Read-only. */
  readonly arguments?: Readonly<Record<string, string>>
  /** Forwarded to the backend, minus reserved keys. Read-only. */
  readonly meta?: Meta
  /** Answers to the questions of an earlier `InputRequired` (2026-07-28). */
  readonly inputResponses?: InputResponses
  /** The `requestState` of that earlier result, unchanged. */
  readonly requestState?: string
}

/** One message of a prompt. */
export interface PromptMessage {
  /** Who says it: `user` or `assistant`. */
  readonly role: string
  /** What is said, as one block. */
  readonly content: ContentBlock
  readonly [field: string]: unknown
}

/** What a prompt expanded to. */
export interface GetPromptResult {
  /** The conversation to hand to the model, in order. */
  readonly messages: readonly PromptMessage[]
  /** What the prompt is for. */
  readonly description?: string
  /** Sent as `_meta`. */
  readonly meta?: Meta
  /** The backend that answered. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}
