import type { CallOptions } from './call-options.js'
import type { CapabilityKind } from './capability/kind.js'
import type { Identity } from './identity.js'

/** How well a backend does. Only `healthy` and `degraded` ones are served. */
export type BackendHealth = 'healthy' | 'degraded' | 'unhealthy' | 'unauthenticated' | 'unknown'

/** One backend, for status. Holds no URL, no credential and no raw error. */
export interface BackendStatus {
  /** The backend's id: unique here. */
  readonly id: string
  /** Its display name; the id when it has none. */
  readonly name: string
  /** How it is reached: `streamable-http`, `sse`, `stdio` or a word of the embedder. */
  readonly transport?: string
  /** The outgoing strategy's name; absent when it gets no credentials. */
  readonly authentication?: string
  /** As of the last probe: `unknown` before the first, `healthy` when nothing is watched. */
  readonly health: BackendHealth
  /** The circuit breaker; absent when there is none. */
  readonly circuit?: 'closed' | 'open' | 'half-open'
  /** Failures in a row. */
  readonly consecutiveFailures: number
  /** The kind of the last failure, such as `timeout`; absent after a success. */
  readonly lastFailure?: string
  /** The protocol revision spoken with it, once known. */
  readonly protocolVersion?: string
  /** How many capabilities it offers, once known, before any filter. */
  readonly offers?: {
    readonly tools: number
    readonly resources: number
    readonly templates: number
    readonly prompts: number
  }
}

/** Why something a backend offers is not served as it is. */
export type FindingReason =
  /** The backend gave no list. */
  | 'backend-failed'
  /** One of its lists failed while others came. */
  | 'list-failed'
  /** Another backend won the name. */
  | 'lost-conflict'
  /** It was renamed because of a conflict, a rule or the name policy. */
  | 'renamed'
  /** The name was made legal or shorter. */
  | 'name-repaired'
  /** Its schema is not valid. */
  | 'invalid-schema'
  /** It can be used only in a way that the gateway does not relay. */
  | 'unsupported'
  /** A setting hides it from clients. */
  | 'hidden'
  /** Its override cannot be applied. */
  | 'invalid-override'
  /** A composite tool cannot be offered. */
  | 'composite-dropped'
  /** A setting names something that no backend has. */
  | 'unused-setting'
  /** A setting names something by its name from before an override. */
  | 'outdated-setting'

/** One thing that aggregation decided and an operator may want to know. */
export interface Finding {
  /** What was decided. */
  readonly reason: FindingReason
  /** What kind of thing it is about. */
  readonly kind: CapabilityKind | 'template' | 'backend'
  /** The backend's own name of it, or the backend id. */
  readonly subject: string
  /** The backend it belongs to; absent for what belongs to none, such as a composite tool. */
  readonly backendId?: string
  /** What it is advertised as, if it is. */
  readonly advertisedAs?: string
  /** A sentence for people. */
  readonly message: string
}

/** What one caller's view was made of. */
export interface ViewReport {
  /** How many backends were asked, and how much of each kind is advertised. */
  readonly counts: {
    readonly backends: number
    readonly tools: number
    readonly resources: number
    readonly templates: number
    readonly prompts: number
  }
  /** The conflict strategy: `prefix`, `priority` or `manual`. */
  readonly strategy: string
  /** By backend, then kind, then subject. */
  readonly findings: readonly Finding[]
}

/** One question on the way from a backend to a caller, and its answer. */
export interface ExplanationStep {
  /** Which question it is. */
  readonly check: 'backend' | 'health' | 'offer' | 'filter' | 'conflict' | 'override' | 'visibility' | 'policy'
  /** True when the answer lets the call go on. */
  readonly passed: boolean
  /** A sentence for people. */
  readonly message: string
  /** The policies that decided, by id. */
  readonly policyIds?: readonly string[]
}

/** Why a caller can or cannot see and call something. */
export interface Explanation {
  /** What kind of thing was asked about. */
  readonly kind: CapabilityKind
  /** The name or URI that was asked about. */
  readonly name: string
  /** True when it is in the caller's list. */
  readonly listed: boolean
  /** True when it can be called, read or got. A policy that looks at a tool's arguments may still answer otherwise. */
  readonly reachable: boolean
  /** What it goes by here, when it was asked for by another name, such as the backend's own or `backend.tool`. */
  readonly advertisedAs?: readonly string[]
  /** In the order in which a call meets them, up to the first that fails. */
  readonly steps: readonly ExplanationStep[]
  /** The steps as lines of text. */
  readonly text: string
}

/** Status and administration. A second, small interface that core returns too; its readers are operators, not clients. */
export interface VmcpAdmin {
  /** Every backend, by id. */
  listAllBackends(): readonly BackendStatus[]
  /** The backends of which this caller can reach a tool, resource or prompt, by id. */
  listBackends(identity: Identity | null, options?: CallOptions): Promise<readonly BackendStatus[]>
  /** What this caller's view was made of, with every conflict, drop and rename. */
  report(identity: Identity | null, options?: CallOptions): Promise<ViewReport>
  /** Answers "why can't I see or call this?". */
  explain(
    identity: Identity | null,
    subject: { readonly kind: CapabilityKind; readonly name: string },
    options?: CallOptions,
  ): Promise<Explanation>
}
