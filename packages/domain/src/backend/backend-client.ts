import type { CallOptions } from '../call-options.js'
import type { CompleteRequest, CompleteResult } from '../capability/completion.js'
import type { InputRequired } from '../capability/input-required.js'
import type { GetPromptRequest, GetPromptResult, Prompt } from '../capability/prompt.js'
import type { ReadResourceRequest, ReadResourceResult, Resource, ResourceTemplate } from '../capability/resource.js'
import type { CallToolRequest, CallToolResult, Tool } from '../capability/tool.js'
import type { Identity } from '../identity.js'

/** Which kinds of capability a backend announces. A kind that is absent is never asked for, except for tools where nothing is announced. */
export interface BackendCapabilities {
  readonly tools?: { readonly listChanged?: boolean }
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  readonly completions?: object
  readonly logging?: object
}

/** What a backend says of itself. */
export interface BackendDescription {
  readonly capabilities: BackendCapabilities
  /** Hints for the model, joined into ours. */
  readonly instructions?: string
  readonly serverInfo?: { readonly name: string; readonly version?: string }
  /** The protocol revision spoken with it, for status. */
  readonly protocolVersion?: string
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page starts; absent on the last one. */
  readonly nextCursor?: string
}

/** Which page of a list. */
export interface PageRequest {
  /** The `nextCursor` of the page before; absent for the first. */
  readonly cursor?: string
}

/** `CallOptions`, and what the gateway adds on the way out. */
export interface BackendCallOptions extends CallOptions {
  /** Request headers made from arguments (`Mcp-Param-*`, 2026-07-28). */
  readonly parameterHeaders?: Readonly<Record<string, string>>
}

/** Something changed at a backend. */
export type BackendEvent =
  | { readonly type: 'list-changed'; readonly list: 'tools' | 'resources' | 'prompts' }
  | { readonly type: 'resource-updated'; readonly uri: string }

/**
 * The port to one backend. Names and URIs are the backend's own; the gateway translates before it calls.
 *
 * A method whose kind `describe` does not announce may be absent. Every method
 * - sends the credentials that belong to `identity` (`null` is anonymous) and to nobody else;
 * - stops when `options.signal` aborts, and then rejects with `Cancelled`;
 * - rejects with `BackendUnavailable`, `BackendTimeout`, `BackendAuthenticationFailed`, or `BackendRejected` for an error
 *   the backend itself answered;
 * - leaves deadlines to the caller.
 */
export interface BackendClient {
  /** Connects if need be, and says what the backend announces. */
  describe(identity: Identity | null, options?: CallOptions): Promise<BackendDescription>
  listTools?(identity: Identity | null, page: PageRequest, options?: CallOptions): Promise<Page<Tool>>
  listResources?(identity: Identity | null, page: PageRequest, options?: CallOptions): Promise<Page<Resource>>
  listResourceTemplates?(
    identity: Identity | null,
    page: PageRequest,
    options?: CallOptions,
  ): Promise<Page<ResourceTemplate>>
  listPrompts?(identity: Identity | null, page: PageRequest, options?: CallOptions): Promise<Page<Prompt>>
  callTool?(
    identity: Identity | null,
    request: CallToolRequest,
    options?: BackendCallOptions,
  ): Promise<CallToolResult | InputRequired>
  readResource?(
    identity: Identity | null,
    request: ReadResourceRequest,
    options?: BackendCallOptions,
  ): Promise<ReadResourceResult | InputRequired>
  getPrompt?(
    identity: Identity | null,
    request: GetPromptRequest,
    options?: BackendCallOptions,
  ): Promise<GetPromptResult | InputRequired>
  complete?(identity: Identity | null, request: CompleteRequest, options?: BackendCallOptions): Promise<CompleteResult>
  /** Tells whether the backend answers, without opening or renewing a session that others use. */
  probe?(options?: CallOptions): Promise<void>
  /** Reports changes until the returned function is called. */
  subscribe?(listener: (event: BackendEvent) => void): () => void
  /**
   * Has the backend report `resource-updated` for a resource, to those who `subscribe`, until the returned function is
   * called (`resources/subscribe`). Callers who share a connection share it; it outlives a connection that is lost. It
   * never throws, and does nothing for a backend that does not announce `resources.subscribe`.
   */
  watchResource?(identity: Identity | null, uri: string, options?: Pick<CallOptions, 'forwardedHeaders'>): () => void
  /** Ends connections and child processes. Idempotent, bounded in time, never rejects. */
  close(): Promise<void>
}
