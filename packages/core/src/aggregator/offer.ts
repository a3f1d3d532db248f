import type {
  BackendAuthenticationFailed,
  BackendRejected,
  BackendTimeout,
  BackendUnavailable,
  Finding,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '@vmcp/domain'

/** How a backend can fail. */
export type BackendError = BackendUnavailable | BackendTimeout | BackendAuthenticationFailed | BackendRejected

/** What one backend answered, under its own names and in its own order. */
export interface Offer {
  readonly backendId: string
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  readonly instructions?: string
  readonly protocolVersion?: string
  /** True when its tools are known: a setting that matches none of them is then a mistake. */
  readonly toolsKnown: boolean
  /** Lists that could not be had, while others came. */
  readonly failures: readonly BackendError[]
  readonly findings: readonly Finding[]
}
