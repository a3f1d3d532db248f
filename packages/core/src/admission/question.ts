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
export type Decision =
  | {
      readonly allowed: true
      /** The policies that permit it, by id. */
      readonly policyIds: readonly string[]
    }
  | {
      readonly allowed: false
      readonly why: Denial
      /** The policies that forbid it or could not be evaluated, by id; empty when none spoke. */
      readonly policyIds: readonly string[]
      /** True for a tool when a call with other arguments may be allowed. */
      readonly argumentsMayHelp: boolean
    }

/** Why something is denied: a policy forbids it, none permits it, or one could not be evaluated. */
export type Denial = 'forbidden' | 'unpermitted' | 'undecidable'
