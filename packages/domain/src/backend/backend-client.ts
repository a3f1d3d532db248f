import type { CallOptions } from '../call-options.js'
import type { CompleteRequest, CompleteResult } from '../capability/completion.js'
import type { InputRequired } from '../capability/input-required.js'
import type { GetPromptRequest, GetPromptResult, Prompt } from '../capability/prompt.js'
import type { ReadResourceRequest, ReadResourceResult, Resource, ResourceTemplate } from '../capability/resource.js'
import type { CallToolRequest, CallToolResult, Tool } from '../capability/tool.js'
import type { ClientChannel } from '../client/client-channel.js'
import type { Identity } from '../identity.js'

/** Which kinds of capability a backend announces. A kind that is absent is never asked for, except for tools where nothing is announced. */
export interface BackendCapabilities {
  /** It has tools; with `listChanged` it reports that their list has changed. */
  readonly tools?: { readonly listChanged?: boolean }
  /** It has resources; with `subscribe` it reports updates of single ones. */
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean }
  /** It has prompts; with `listChanged` it reports that their list has changed. */
  readonly prompts?: { readonly listChanged?: boolean }
  /** It suggests values (`completion/complete`). */
  readonly completions?: object
  /** It sends log messages (`notifications/message`). */
  readonly logging?: object
}

/** What a backend says of itself. */
export interface BackendDescription {
  /** What it announces at `initialize` or `server/discover`. */
  readonly capabilities: BackendCapabilities
  /** Hints for the model, joined into ours. */
  readonly instructions?: string
  /** Its name and version, as it gives them. */
  readonly serverInfo?: { readonly name: string; readonly version?: string }
  /** The protocol revision spoken with it, for status. */
  readonly protocolVersion?: string
}

/** One page of a list. */
export interface Page<Item> {
  /** The items, in the order of the backend. */
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
  | {
      readonly type: 'list-changed'
      /** Which list; `resources` stands for templates too. */
      readonly list: 'tools' | 'resources' | 'prompts'
    }
  | {
      readonly type: 'resource-updated'
      /** The URI that the backend reports. */
      readonly uri: string
    }

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
  /** One page of its tools (`tools/list`). */
  listTools?(identity: Identity | null, page: PageRequest, options?: CallOptions): Promise<Page<Tool>>
  /** One page of its resources (`resources/list`). */
  listResources?(identity: Identity | null, page: PageRequest, options?: CallOptions): Promise<Page<Resource>>
  /** One page of its resource templates (`resources/templates/list`). */
  listResourceTemplates?(
    identity: Identity | null,
    page: PageRequest,
    options?: CallOptions,
  ): Promise<Page<ResourceTemplate>>
  /** One page of its prompts (`prompts/list`). */
  listPrompts?(identity: Identity | null, page: PageRequest, options?: CallOptions): Promise<Page<Prompt>>
  /** Calls a tool (`tools/call`). A tool that ran and failed is a result with `isError`. */
  callTool?(
    identity: Identity | null,
    request: CallToolRequest,
    options?: BackendCallOptions,
  ): Promise<CallToolResult | InputRequired>
  /** Reads a resource (`resources/read`). */
  readResource?(
    identity: Identity | null,
    request: ReadResourceRequest,
    options?: BackendCallOptions,
  ): Promise<ReadResourceResult | InputRequired>
  /** Expands a prompt (`prompts/get`). */
  getPrompt?(
    identity: Identity | null,
    request: GetPromptRequest,
    options?: BackendCallOptions,
  ): Promise<GetPromptResult | InputRequired>
  /** Suggests values for an argument (`completion/complete`). */
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
  /**
   * Tells the backend that the folders of a caller's client have changed (`notifications/roots/list_changed`, 2025-11-25),
   * where it holds a session for clients of this caller that declare what this one does. It may ask that client for them
   * then, apart from any call. It never throws, and does nothing where there is no such session.
   */
  rootsChanged?(identity: Identity | null, client: ClientChannel, options?: Pick<CallOptions, 'forwardedHeaders'>): void
  /** Ends connections and child processes. Idempotent, bounded in time, never rejects. */
  close(): Promise<void>
}
