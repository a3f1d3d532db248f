import type { BackendClient } from './backend-client.js'

/** One MCP server behind the gateway. */
export interface Backend {
  /** Unique; the prefix, the key of per-backend settings, and `backendId` on what it offers. */
  readonly id: string
  /** A display name; the id when absent. */
  readonly name?: string
  /** How it is reached, for status: `streamable-http`, `sse`, `stdio` or a word of the embedder. */
  readonly transport?: string
  /** The outgoing strategy's name, such as `header_injection`; absent when it gets no credentials. */
  readonly authentication?: string
  /** Free facts for status. */
  readonly metadata?: Readonly<Record<string, string>>
  /** The connection to it. The gateway closes it. */
  readonly client: BackendClient
}
