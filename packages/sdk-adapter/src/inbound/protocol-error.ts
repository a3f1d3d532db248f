import type { RequestId } from './json-rpc.js'

/** What this edge itself refuses: a message, a header or a version. It never leaves the package. */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown
  /** The HTTP status of the refusal. */
  readonly status: number
  /** The request it answers, when it was readable. */
  readonly requestId: RequestId | undefined

  constructor(
    code: number,
    message: string,
    options: { readonly status: number; readonly data?: unknown; readonly requestId?: RequestId | undefined },
  ) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
    this.data = options.data
    this.status = options.status
    this.requestId = options.requestId
  }
}
