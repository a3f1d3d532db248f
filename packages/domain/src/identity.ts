import type { JsonObject } from './json.js'
import { Secret } from './secret.js'

/** What an authenticator knows of a caller. */
export interface IdentityFields {
  /** Who vouches for the subject: the `iss` claim (RFC 7519), or a fixed name such as `vmcp-local`. */
  readonly issuer: string
  /** Who the caller is at that issuer: the `sub` claim. */
  readonly subject: string
  /** A display name. */
  readonly name?: string
  /** An e-mail address. */
  readonly email?: string
  /** Groups the caller belongs to. */
  readonly groups?: readonly string[]
  /** The verified claims, as the issuer gave them. */
  readonly claims?: JsonObject
  /** The bearer token the caller presented. Given as text, it is wrapped at once. */
  readonly token?: Secret | string
  /** Tokens of upstream providers, by provider name. */
  readonly upstreamTokens?: Readonly<Record<string, Secret | string>>
}

/**
 * An authenticated caller.
 * It is passed as a parameter, never kept in ambient state, and its tokens are redacted wherever it is printed.
 */
export class Identity {
  /** Who vouches for the subject: the `iss` claim (RFC 7519), or a fixed name such as `vmcp-local`. */
  readonly issuer: string
  /** Who the caller is at that issuer: the `sub` claim. */
  readonly subject: string
  /** A display name, if known. */
  readonly name: string | undefined
  /** An e-mail address, if known. */
  readonly email: string | undefined
  /** Groups the caller belongs to; empty when none are known. */
  readonly groups: readonly string[]
  /** The verified claims, as the issuer gave them; `{}` when it gave none. */
  readonly claims: JsonObject
  /** The bearer token the caller presented, if it was one. */
  readonly token: Secret | undefined
  /** Tokens of upstream providers, by provider name. */
  readonly upstreamTokens: Readonly<Record<string, Secret>>

  constructor(fields: IdentityFields) {
    this.issuer = fields.issuer
    this.subject = fields.subject
    this.name = fields.name
    this.email = fields.email
    this.groups = fields.groups ?? []
    this.claims = fields.claims ?? {}
    this.token = fields.token === undefined ? undefined : asSecret(fields.token)
    this.upstreamTokens = Object.fromEntries(
      Object.entries(fields.upstreamTokens ?? {}).map(([provider, token]) => [provider, asSecret(token)]),
    )
    Object.freeze(this)
  }

  /** Issuer and subject only: claims may hold more than a log should. */
  toString(): string {
    return `Identity(${this.issuer}, ${this.subject})`
  }

  /** Issuer and subject only, as in `toString`. */
  toJSON(): { readonly issuer: string; readonly subject: string } {
    return { issuer: this.issuer, subject: this.subject }
  }

  /** Issuer and subject only, as in `toString`, when Node prints it. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}

function asSecret(token: Secret | string): Secret {
  return typeof token === 'string' ? new Secret(token) : token
}
