import type { ClientChannel } from './client/client-channel.js'

/** What accompanies a verb besides the caller and the request. */
export interface CallOptions {
  /** Cancels the verb, down to the backend; it then rejects with `Cancelled`. */
  readonly signal?: AbortSignal
  /** The calling client's channel: the way back for elicitation, sampling, roots, progress and log messages. */
  readonly client?: ClientChannel
  /** Request headers of the client that are to reach the backends, by lower-case name. Part of the view's cache key. */
  readonly forwardedHeaders?: Readonly<Record<string, string>>
}
