import type { Identity } from '../identity.js'

/** What an authenticator sees of a request: headers only, so that the body is read once. */
export interface IncomingRequest {
  /** Header values by lower-case name; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The authenticator's answer. */
export type Authentication =
  | {
      readonly outcome: 'authenticated'
      /** The caller; `null` is anonymous. */
      readonly identity: Identity | null
    }
  | {
      readonly outcome: 'rejected'
      /** 400 malformed, 401 missing or invalid, 403 not enough scope. */
      readonly status: 400 | 401 | 403
      /** Safe to show; never the token. */
      readonly message: string
      /** The `WWW-Authenticate` value (RFC 6750, RFC 9728). */
      readonly challenge?: string
    }

/** Who is calling? Asked once for each request, before anything else of it is read. */
export interface IncomingAuth {
  /** Answers who calls, or the refusal to send back. */
  authenticate(request: IncomingRequest): Promise<Authentication>
}
