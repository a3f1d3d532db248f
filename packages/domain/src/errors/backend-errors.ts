import { TaggedError } from './base.js'

/** Why a backend gave no answer. */
export type UnavailableReason =
  /** It could not be reached, started or spoken with. */
  | 'unreachable'
  /** The connection or the process ended during the call. */
  | 'closed'
  /** It answered something that is not MCP. */
  | 'protocol'
  /** Its answer is over a size limit. */
  | 'too-large'
  /** It answered an HTTP error. */
  | 'http'
  /** Its circuit breaker is open. */
  | 'circuit-open'
  /** It is not healthy enough to be asked. */
  | 'unhealthy'

/** The backend gave no usable answer. The message is ours: no URL and nothing of the backend's body. */
export class BackendUnavailable extends TaggedError {
  readonly _tag = 'BackendUnavailable'
  /** The backend, by id. */
  readonly backendId: string
  /** Why it gave none. */
  readonly reason: UnavailableReason
  /** The HTTP status, when it answered one. */
  readonly status: number | undefined

  constructor(
    backendId: string,
    reason: UnavailableReason,
    options?: ErrorOptions & { readonly detail?: string; readonly status?: number },
  ) {
    super(`backend unavailable: ${backendId} (${options?.detail ?? reason})`, options)
    this.backendId = backendId
    this.reason = reason
    this.status = options?.status
  }
}

/** The backend did not answer in time; the call was cancelled there. */
export class BackendTimeout extends TaggedError {
  readonly _tag = 'BackendTimeout'
  /** The backend, by id. */
  readonly backendId: string
  /** The deadline that passed, in milliseconds. */
  readonly timeoutMs: number

  constructor(backendId: string, timeoutMs: number, options?: ErrorOptions) {
    super(`backend timed out: ${backendId} (${timeoutMs} ms)`, options)
    this.backendId = backendId
    this.timeoutMs = timeoutMs
  }
}

/** The backend refused our credentials, or they could not be had. */
export class BackendAuthenticationFailed extends TaggedError {
  readonly _tag = 'BackendAuthenticationFailed'
  /** The backend, by id. */
  readonly backendId: string

  constructor(backendId: string, options?: ErrorOptions) {
    super(`authentication failed for backend ${backendId}`, options)
    this.backendId = backendId
  }
}

/** The backend answered a JSON-RPC error. Code, message and data are its own and are relayed as they are. */
export class BackendRejected extends TaggedError {
  readonly _tag = 'BackendRejected'
  /** The backend, by id. */
  readonly backendId: string
  /** The JSON-RPC error code, such as -32602 for invalid parameters. */
  readonly code: number
  /** The `data` of the error: any JSON value; undefined when it had none. */
  readonly data: unknown

  constructor(
    backendId: string,
    error: { readonly code: number; readonly message: string; readonly data?: unknown },
    options?: ErrorOptions,
  ) {
    super(error.message, options)
    this.backendId = backendId
    this.code = error.code
    this.data = error.data
  }
}
