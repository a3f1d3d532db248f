import type { IncomingAuth, Logger, VmcpAdmin, VmcpEvents } from '@vmcp/domain'
import type { SessionLimits } from './session/sessions.js'

/** How a `VMCP` is served. Everything but `name` and `version` has a default. */
export interface ServerConfig {
  /** The server's name and version, as clients see them. */
  readonly name: string
  /** The server's version, as clients see it. */
  readonly version: string
  /** A name for people. */
  readonly title?: string
  /** Hints for the model. */
  readonly instructions?: string
  /** The address to listen on; `127.0.0.1` when absent. */
  readonly host?: string
  /** The port; 4483 when absent, 0 for any free one. */
  readonly port?: number
  /** The path of the MCP endpoint; `/mcp` when absent. */
  readonly path?: string
  /** Who is calling. Everybody is anonymous when absent. */
  readonly incomingAuth?: IncomingAuth
  /** Where changes come from; without it none are announced. */
  readonly events?: VmcpEvents
  /** What `/status` tells of; without it there is no `/status`. */
  readonly admin?: VmcpAdmin
  /**
   * Who may read `/status`, which names the backends: `loopback` (the default) serves it only while the server listens
   * on a loopback address, `public` to everybody who reaches the port, `off` to nobody.
   */
  readonly status?: 'loopback' | 'public' | 'off'
  /** What one client may take; `defaultLimits` for what is absent. */
  readonly limits?: Partial<ServerLimits>
  /** 30 minutes idle, 24 hours in all, 10 000 at a time when absent. */
  readonly sessions?: Partial<SessionLimits>
  /**
   * The `Host` names to answer to, without a port. On a loopback address only loopback names when absent; elsewhere
   * any name when absent.
   */
  readonly allowedHosts?: readonly string[]
  /**
   * The `Origin` values to answer to, such as `https://app.example`, whose web pages may then read the answers (CORS).
   * When absent, origins on loopback names are answered, and no web page of another origin can read anything.
   */
  readonly allowedOrigins?: readonly string[]
  /** Request headers that reach the backends. Credentials and hop-by-hop headers are refused. */
  readonly passthroughHeaders?: readonly string[]
  /** Silent when absent. */
  readonly logger?: Logger
}

/** What one client may take. Times are in milliseconds, sizes in bytes. */
export interface ServerLimits {
  /** A request body; 4 MiB. */
  readonly bodyBytes: number
  /** Nesting of a request body; 64. */
  readonly jsonDepth: number
  /** All request headers; 16 KiB. */
  readonly headerBytes: number
  /** Time for the headers; 10 s. */
  readonly headersTimeoutMs: number
  /** Time for the whole request, body included; 30 s. It does not limit the answer. */
  readonly requestTimeoutMs: number
  /** Time an idle connection stays open; 75 s. */
  readonly keepAliveTimeoutMs: number
  /** Requests on one connection; 10 000. */
  readonly requestsPerConnection: number
  /** MCP requests at one time; 1024. More are answered 503. */
  readonly callsInFlight: number
  /** MCP requests of one session at one time; 64. More are answered 503. */
  readonly callsPerSession: number
  /** The share of the heap in use above which no session is opened; 0.85. */
  readonly heapShareForSessions: number
  /** The share of the heap in use above which MCP requests are answered 503; 0.95. */
  readonly heapShareForCalls: number
  /** What may wait in memory for a client that reads its stream too slowly; 16 MiB. Over it, it is cut off. */
  readonly streamBufferBytes: number
  /** Time between signs of life on an event stream; 30 s. */
  readonly streamKeepAliveMs: number
  /** Time that running calls get when the server closes; 25 s. */
  readonly drainMs: number
}

/** The defaults of `ServerLimits`. */
export const defaultLimits: ServerLimits = {
  bodyBytes: 4 * 1024 * 1024,
  jsonDepth: 64,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 75_000,
  requestsPerConnection: 10_000,
  callsInFlight: 1024,
  callsPerSession: 64,
  heapShareForSessions: 0.85,
  heapShareForCalls: 0.95,
  streamBufferBytes: 16 * 1024 * 1024,
  streamKeepAliveMs: 30_000,
  drainMs: 25_000,
}

/** The defaults of `SessionLimits`. */
export const defaultSessionLimits: SessionLimits = {
  ttlMs: 30 * 60_000,
  maxAgeMs: 24 * 60 * 60_000,
  max: 10_000,
}
