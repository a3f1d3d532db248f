import type { Identity } from '../identity.js'

/** The credentials for one backend. */
export interface OutgoingAuth {
  /** The strategy's name, for status. */
  readonly type: string
  /**
   * Names the credential that `identity` gets, without revealing it.
   * Connections and caches are shared only between callers with the same key.
   */
  credentialKey(identity: Identity | null): string
  /**
   * The headers to send, when they are the same for everybody at all times, and so is `credentialKey`. Then nobody waits
   * for `headers`. Asked once. A method, so that a credential does not show where this object is printed.
   */
  fixedHeaders?(): Readonly<Record<string, string>>
  /** The headers to send. Rejects with `BackendAuthenticationFailed` when the credential cannot be had. */
  headers(
    identity: Identity | null,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Readonly<Record<string, string>>>
}
