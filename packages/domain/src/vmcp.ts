import type { CallOptions } from './call-options.js'
import type { CompleteRequest, CompleteResult } from './capability/completion.js'
import type { InputRequired } from './capability/input-required.js'
import type { GetPromptRequest, GetPromptResult, Prompt } from './capability/prompt.js'
import type { ReadResourceRequest, ReadResourceResult, Resource, ResourceTemplate } from './capability/resource.js'
import type { CallToolRequest, CallToolResult, Tool } from './capability/tool.js'
import type { Identity } from './identity.js'

/**
 * The virtual MCP server as a domain object: what one caller sees of many MCP servers.
 *
 * **Identity.** `identity` is explicit and is never read from anywhere else: no ambient state carries it. `null` is the
 * anonymous caller, and is no error by itself. It is already authenticated: binding a session to an identity is `serve`'s
 * work, not the core's. It is never logged, and its tokens are redacted when it is printed or serialised.
 *
 * **Concurrency.** Every verb is safe for concurrent use. `close` is idempotent.
 *
 * **Decorators only subtract reachability.** A decorator holds an inner `VMCP` and nothing else that reaches a backend: it
 * filters a list, or refuses a call before it delegates. It never makes a capability reachable that the inner one denies.
 *
 * **Lookups** apply the same admission as lists: they never resolve what the list would not show, and answer `NotFound`.
 *
 * **Calls** ask the policy before existence: a denied name and a denied name that does not exist are answered alike, with
 * `AuthorizationDenied`, which names the kind only.
 *
 * **Data.** `arguments` and `meta` are read-only: copy before changing. `meta` on calls, readings and prompts is forwarded
 * to the backend, minus reserved keys (`io.modelcontextprotocol/*`, apart from `related-task` and
 * `model-immediate-response`); the result's `meta` may be absent. Fields and content blocks of a later protocol revision
 * are kept.
 *
 * **Options.** `options.signal` cancels down to the backend, and the verb rejects with `Cancelled`. `options.client` is the
 * calling client's channel: the way back for elicitation, sampling, roots, progress and log messages. Without it the
 * configured `elicitation` of the core is used; without either, a step that must ask fails with
 * `ElicitationNotConfigured`.
 *
 * **Errors.** A verb rejects with a `VmcpError` only. A tool that ran and failed is a result with `isError`, not an error;
 * so is a composite tool whose workflow failed. Beside the errors named at each verb, every verb may reject with
 * `Cancelled`, `BackendUnavailable`, `BackendTimeout`, `BackendAuthenticationFailed`, `BackendRejected`,
 * `CapabilityConflict`, and `InternalError` for a defect; a decorator may add its own, such as `RateLimited`.
 *
 * @see MCP 2025-11-25 and 2026-07-28, "Server Features"
 */
export interface VMCP {
  /** The tools of the backends and the composite tools that this caller may call, by name. */
  listTools(identity: Identity | null, options?: CallOptions): Promise<readonly Tool[]>
  /** Calls a tool. Rejects with `AuthorizationDenied`, `NotFound` or `InvalidInput`. */
  callTool(
    identity: Identity | null,
    request: CallToolRequest,
    options?: CallOptions,
  ): Promise<CallToolResult | InputRequired>
  /** The resources this caller may read, by URI. */
  listResources(identity: Identity | null, options?: CallOptions): Promise<readonly Resource[]>
  /** The templates this caller may read from, by template text. A template is admitted as a resource of that URI. */
  listResourceTemplates(identity: Identity | null, options?: CallOptions): Promise<readonly ResourceTemplate[]>
  /** Reads a listed resource or one that a listed template matches. Rejects with `AuthorizationDenied` or `NotFound`. */
  readResource(
    identity: Identity | null,
    request: ReadResourceRequest,
    options?: CallOptions,
  ): Promise<ReadResourceResult | InputRequired>
  /** The prompts this caller may get, by name. */
  listPrompts(identity: Identity | null, options?: CallOptions): Promise<readonly Prompt[]>
  /** Gets a prompt. Rejects with `AuthorizationDenied` or `NotFound`. */
  getPrompt(
    identity: Identity | null,
    request: GetPromptRequest,
    options?: CallOptions,
  ): Promise<GetPromptResult | InputRequired>
  /** Suggestions for an argument; none for a reference nobody serves. Rejects with `AuthorizationDenied`. */
  complete(identity: Identity | null, request: CompleteRequest, options?: CallOptions): Promise<CompleteResult>
  /** The listed tool of that name. Rejects with `NotFound`. */
  lookupTool(identity: Identity | null, name: string, options?: CallOptions): Promise<Tool>
  /**
   * The listed resource of that URI, else the listed template that equals or matches it, given as a resource whose URI is
   * the template text. Rejects with `NotFound`.
   */
  lookupResource(identity: Identity | null, uri: string, options?: CallOptions): Promise<Resource>
  /** The listed prompt of that name. Rejects with `NotFound`. */
  lookupPrompt(identity: Identity | null, name: string, options?: CallOptions): Promise<Prompt>
  /** Refuses new verbs, lets running ones end for a bounded time, cancels the rest and closes the backends. Idempotent. */
  close(): Promise<void>
}
