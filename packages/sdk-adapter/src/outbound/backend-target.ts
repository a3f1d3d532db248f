import type { Logger, OutgoingAuth } from '@vmcp/domain'
import type { StateKey } from './sealed-state.js'

/** Where a backend is and how it is spoken with. */
export type BackendTarget =
  | {
      /** `streamable-http` speaks both eras; `sse` is the HTTP+SSE transport of 2024-11-05. */
      readonly transport: 'streamable-http' | 'sse'
      /** An `http:` or `https:` URL. */
      readonly url: string
      /** Sent with every request, unless the caller's credentials set the same header. */
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly transport: 'stdio'
      /** The program, started without a shell. */
      readonly command: string
      /** Its arguments, one by one; none when absent. */
      readonly args?: readonly string[]
      /** Added to a small safe environment; nothing else of ours is handed on. */
      readonly env?: Readonly<Record<string, string>>
      /** The folder it starts in; our own when absent. */
      readonly cwd?: string
    }

/** What a backend may cost. Every bound has a default. */
export interface BackendLimits {
  /** Bytes of one answer; 10 MiB when absent. */
  readonly maxMessageBytes?: number
  /** Levels of nesting of one answer; 128 when absent. */
  readonly maxDepth?: number
  /** Calls that use a socket at one time; 64 when absent. Further calls wait. */
  readonly maxConnections?: number
  /**
   * Calls that wait for a socket at one time; 64 when absent. More are refused at once. A program has no sockets: it is
   * given as many calls at one time as `maxConnections` and `maxWaiting` allow together, and more are refused at once.
   */
  readonly maxWaiting?: number
  /**
   * Calls at one time whose client can be asked; 256 when absent. More are refused at once. Each has a socket of its own and
   * waits for none, since it may last as long as people think.
   */
  readonly maxAskable?: number
  /** Milliseconds for a connection to come about; 3000 when absent. */
  readonly connectTimeoutMs?: number
  /** Milliseconds for a program to start and to answer the handshake; 60 000 when absent. */
  readonly startTimeoutMs?: number
  /** Sessions or processes kept for callers with credentials of their own; 64 when absent. The idlest is closed first. */
  readonly maxSessions?: number
  /** Milliseconds without a call until a session may be closed; 30 minutes when absent. */
  readonly sessionIdleMs?: number
}

/** What `connectBackend` is given. */
export interface ConnectOptions {
  /** The backend's id, for errors and the log. */
  readonly id: string
  /** Where it is and how it is spoken with. */
  readonly target: BackendTarget
  /** The credentials; none when absent. */
  readonly auth?: OutgoingAuth
  /** Silent when absent. */
  readonly logger?: Logger
  /** What the backend is told of us; `vmcp` when absent. */
  readonly clientInfo?: { readonly name: string; readonly version: string }
  /** What it may cost. */
  readonly limits?: BackendLimits
  /**
   * Seals the `requestState` of a backend that cannot tell callers apart by their credentials (2026-07-28). The first seals,
   * all open: put a new key first and keep the old one until its states have expired. Every replica needs the same keys.
   * Absent or empty, a random key is made for this client: another replica, and this one after a restart, then refuses its
   * states.
   */
  readonly stateKeys?: readonly StateKey[]
  /** Milliseconds in which the caller may come back with such a state; 10 minutes when absent. */
  readonly stateTtlMs?: number
}

/** The limits with every default filled in. */
export function fillLimits(limits: BackendLimits = {}): Required<BackendLimits> {
  return {
    maxMessageBytes: limits.maxMessageBytes ?? 10 * 1024 * 1024,
    maxDepth: limits.maxDepth ?? 128,
    maxConnections: limits.maxConnections ?? 64,
    maxWaiting: limits.maxWaiting ?? 64,
    maxAskable: limits.maxAskable ?? 256,
    connectTimeoutMs: limits.connectTimeoutMs ?? 3_000,
    startTimeoutMs: limits.startTimeoutMs ?? 60_000,
    maxSessions: limits.maxSessions ?? 64,
    sessionIdleMs: limits.sessionIdleMs ?? 30 * 60_000,
  }
}
