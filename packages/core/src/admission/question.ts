import type { JsonObject, ToolAnnotations } from '@vmcp/domain'

/** May this caller do this? A list asks about a tool without arguments. */
export type Question =
  | {
      readonly kind: 'tool'
      readonly name: string
      readonly annotations?: ToolAnnotations
      readonly arguments?: JsonObject
    }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly name: string }

/** The policy's answer. */
export interface Decision {
  readonly allowed: boolean
  /** The policies that decided, by id; empty when none spoke. */
  readonly policyIds: readonly string[]
}
