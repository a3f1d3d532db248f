import type { RequestId } from './json-rpc.js'

/** How a refusal is sent. */
export interface ProtocolErrorOptions {
  readonly status: number
  readonly data?: unknown
  readonly requestId?: RequestId | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What this edge itself refuses: a message, a header or a version. It never leaves the package. */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown
  /** The HTTP status of the refusal. */
  readonly status: number
  /** The request it answers, when it was readable. */
  readonly requestId: RequestId | undefined
  /** Headers that go with it, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: number, message: string, options: ProtocolErrorOptions) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
    this.data = options.data
    this.status = options.status
    this.requestId = options.requestId
    this.headers = options.headers
  }
}
