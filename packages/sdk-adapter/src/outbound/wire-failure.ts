/** What went wrong between us and a backend, as facts of the wire. It stays inside the outbound edge. */
export type WireFault =
  /** No connection came about, or no process. `detail` is safe to show. */
  | { readonly kind: 'unreachable'; readonly detail: string }
  /** Connecting took longer than its limit. */
  | { readonly kind: 'connect-timeout'; readonly timeoutMs: number }
  /** Too many calls wait for it already; nothing was sent. */
  | { readonly kind: 'busy' }
  /** The connection or the process ended while an answer was due. */
  | { readonly kind: 'closed'; readonly detail: string }
  /**
   * The answer is an HTTP error. `rpcError` is the JSON-RPC error of its body, when it has one; `isOwn` says that the
   * error names this request; `sessionLost` that the server does not know our session (any more).
   */
  | {
      readonly kind: 'http'
      readonly status: number
      readonly rpcError?: RpcError
      readonly isOwn?: boolean
      readonly sessionLost?: boolean
    }
  /** The handshake was refused with an HTTP status. */
  | { readonly kind: 'handshake'; readonly status: number; readonly detail: string }
  /** The answer is not MCP. */
  | { readonly kind: 'protocol'; readonly detail: string; readonly violation?: ProtocolViolation }
  /** The answer is larger than the limit. */
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  /** The caller's signal aborted, or the connection was closed by us. */
  | { readonly kind: 'cancelled' }
  /** The backend answered a JSON-RPC error to this request. */
  | { readonly kind: 'rejected'; readonly error: RpcError }

/** A protocol fault that tells something of the era the backend speaks. */
export type ProtocolViolation =
  /** A 2026-07-28 request got something that is no JSON-RPC answer. */
  | 'not-json-rpc'
  /** `server/discover` got a result without `resultType`: an older server answered. */
  | 'no-result-type'

/** The error of a JSON-RPC answer. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Carries a `WireFault` through promises. */
export class WireFailure extends Error {
  readonly fault: WireFault

  constructor(fault: WireFault, options?: ErrorOptions) {
    super(`backend wire: ${fault.kind}`, options)
    this.name = 'WireFailure'
    this.fault = fault
  }
}

/** The fault an error carries, if it is one of ours. */
export function faultOf(error: unknown): WireFault | undefined {
  return error instanceof WireFailure ? error.fault : undefined
}
