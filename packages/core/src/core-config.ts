import type { SuspensionConfig } from '@vmcp/composer'
import type { Backend, ElicitationRequester, Logger, ToolAnnotations, Workflow, WorkflowObserver } from '@vmcp/domain'

/** What `createVMCP` needs. Everything but `name` and `backends` has a default. */
export interface CoreConfig {
  /** The server's name: shown to clients, and the parent entity of Cedar policies. */
  readonly name: string
  /** The MCP servers behind it. Their ids are unique. */
  readonly backends: readonly Backend[]
  /** How the capabilities of the backends become one list. */
  readonly aggregation?: AggregationConfig
  /** Workflows to offer as tools; none when absent. */
  readonly compositeTools?: readonly Workflow[]
  /** Who may do what. Absent means that everything is allowed. */
  readonly authorization?: AuthorizationConfig
  /** How backends are watched. Absent means that they are not. */
  readonly health?: HealthConfig
  /** How long backends may take. */
  readonly timeouts?: TimeoutConfig
  /** `best_effort` (the default) serves what the other backends offer when one fails; `fail` serves nothing then. */
  readonly partialFailureMode?: 'best_effort' | 'fail'
  /** Whom workflows ask when the call has no channel of its own. */
  readonly elicitation?: ElicitationRequester
  /** How composite tools wait for callers who answer questions by calling again (2026-07-28). */
  readonly suspension?: SuspensionConfig
  /** Watches workflows. */
  readonly workflowObserver?: WorkflowObserver
  /** Silent when absent. */
  readonly logger?: Logger
}

/** How the capabilities of many backends become one list. */
export interface AggregationConfig {
  /** What happens to equal names; `{ strategy: 'prefix' }` when absent. */
  readonly conflictResolution?: ConflictResolution
  /** Per-backend settings. */
  readonly tools?: readonly BackendToolConfig[]
  /** Hides every backend tool from clients; workflows may still use them. */
  readonly excludeAllTools?: boolean
  /** `deny` hides the tools of backends that have no entry in `tools`; `allow` when absent. */
  readonly defaultToolVisibility?: 'allow' | 'deny'
  /** Which names clients accept; those of at most 64 characters when absent. */
  readonly names?: NamePolicy
  /** What to do with a tool whose schema is not valid: leave it out (the default), mend it, or pass it on. */
  readonly invalidSchemas?: 'drop' | 'repair' | 'pass'
  /** Milliseconds a cached view is used; 30 000 when absent, 0 for no cache. */
  readonly cacheTtlMs?: number
  /** Views kept at most; 1024 when absent. */
  readonly cacheSize?: number
}

/** How equal names of several backends are told apart. */
export type ConflictResolution =
  | {
      /** Every tool and prompt gets the prefix. */
      readonly strategy: 'prefix'
      /** `{workload}` stands for the backend id; `{workload}_` when absent. */
      readonly prefixFormat?: string
    }
  | {
      /** The first backend in the order keeps the name; those not in it are prefixed when they conflict. */
      readonly strategy: 'priority'
      /** Backend ids, the strongest first. */
      readonly priorityOrder: readonly string[]
      /** The prefix of those not in the order, as for `prefix`. */
      readonly prefixFormat?: string
    }
  | {
      /** Each conflict must be decided by overrides. */
      readonly strategy: 'manual'
      /** The prefix of prompts, which need no decision, as for `prefix`. */
      readonly prefixFormat?: string
    }

/** Settings for the tools of one backend. */
export interface BackendToolConfig {
  /** The backend's id. */
  readonly workload: string
  /** Advertise only these: names before or after the override. Empty or absent means all. */
  readonly filter?: readonly string[]
  /** Advertise none. */
  readonly excludeAll?: boolean
  /** By the backend's own tool name. */
  readonly overrides?: Readonly<Record<string, ToolOverride>>
}

/** What to change on a tool. What is absent stays. */
export interface ToolOverride {
  /** The name to advertise instead. */
  readonly name?: string
  /** The description to advertise instead. */
  readonly description?: string
  /** Hints to advertise instead, one by one: those not named here stay. */
  readonly annotations?: ToolAnnotations
}

/** Which names clients accept. */
export interface NamePolicy {
  /** Characters in all; 64 when absent. */
  readonly maxLength?: number
  /** Characters that clients put before our names, such as `mcp__work__`; 0 when absent. */
  readonly reservedLength?: number
}

/** Cedar policies (https://docs.cedarpolicy.com). */
export interface AuthorizationConfig {
  readonly type: 'cedar'
  /** Policy texts; at least one. A text may hold several policies. */
  readonly policies: readonly string[]
  /** A Cedar entity store as JSON text; `[]` when absent. */
  readonly entitiesJson?: string
  /** The claim that holds groups; `groups`, `roles` and `cognito:groups` are tried when absent. */
  readonly groupClaimName?: string
  /** A second claim that holds roles, mapped like groups. */
  readonly roleClaimName?: string
  /** The Cedar type of groups; `THVGroup` when absent. */
  readonly groupEntityType?: string
  /** Take the claims from the caller's token of this upstream provider instead of from the request's. */
  readonly primaryUpstreamProvider?: string
}

/** How backends are watched. Absent means that they are not. */
export interface HealthConfig {
  /** Milliseconds between probes; 30 000 when absent. */
  readonly checkIntervalMs?: number
  /** Milliseconds for one probe, less than the interval; 10 000, or half a short interval, when absent or 0. */
  readonly checkTimeoutMs?: number
  /** Failures in a row until a backend counts as unhealthy; 3 when absent. */
  readonly unhealthyThreshold?: number
  /** Milliseconds above which a good answer counts as degraded; 5 000 when absent. */
  readonly degradedThresholdMs?: number
  /** Stops calls to a backend that fails. Absent means that there is none. */
  readonly circuitBreaker?: CircuitBreakerConfig
}

/** Stops calls and probes to a backend that fails, and tries again later with one of them. */
export interface CircuitBreakerConfig {
  /** Failures in a row that open it; 5 when absent. */
  readonly failureThreshold?: number
  /** Milliseconds until one call is let through; 60 000 when absent. */
  readonly timeoutMs?: number
}

/** How long a backend may take. */
export interface TimeoutConfig {
  /** Milliseconds; 30 000 when absent. Progress starts it anew. */
  readonly defaultMs?: number
  /** Milliseconds by backend id. */
  readonly perBackendMs?: Readonly<Record<string, number>>
  /** Milliseconds at most, progress or not; 600 000 when absent. */
  readonly totalMs?: number
  /**
   * Milliseconds that lists wait for a backend that has not answered since the start, when another has. It joins as soon as
   * it answers, and subscribers hear of that; until then what it offers is not found. Programs (`stdio`) are waited for, and
   * so is everybody when this is absent or `partialFailureMode` is `fail`.
   */
  readonly firstAnswerMs?: number
}
