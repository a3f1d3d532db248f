import type { Meta } from '../json.js'
import type { Icon } from './annotations.js'
import type { ContentBlock } from './content.js'
import type { InputResponses } from './input-required.js'

/** An argument of a prompt. Its value is always text. */
export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
  readonly [field: string]: unknown
}

/** A prompt as it is advertised (MCP "Prompts"). Fields this version does not know are kept. */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  readonly icons?: readonly Icon[]
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
  readonly role: string
  readonly content: ContentBlock
  readonly [field: string]: unknown
}

/** What a prompt expanded to. */
export interface GetPromptResult {
  readonly messages: readonly PromptMessage[]
  readonly description?: string
  readonly meta?: Meta
  /** The backend that answered. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}
