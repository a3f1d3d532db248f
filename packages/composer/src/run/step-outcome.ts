import type { InputRequest, JsonObject } from '@vmcp/domain'

/** How the body of a step ended, when it did not fail. */
export type StepOutcome =
  | {
      readonly type: 'completed'
      readonly output: unknown
      readonly content?: JsonObject
      readonly retryCount?: number
    }
  /** The user chose that nothing more shall run. The step itself is complete. */
  | { readonly type: 'completed-last'; readonly output: unknown }
  /** The user must be asked, and the caller answers by calling again. */
  | { readonly type: 'asks'; readonly question: InputRequest }
