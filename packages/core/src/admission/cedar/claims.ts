import { isJsonObject } from '@vmcp/domain'
import type { Identity, JsonObject } from '@vmcp/domain'

/**
 * The claims that policies see, with `sub`: those of the request, or of the caller's token of an upstream provider.
 * An opaque upstream token says nothing, so the request's claims stand in. `undefined`, which denies, where the provider
 * gave no token or one that looks like a JWT (RFC 7519) and is none.
 */
export function claimsOf(identity: Identity, provider: string | undefined): JsonObject | undefined {
  if (provider === undefined || provider === '') return requestClaims(identity)
  const tokens = identity.upstreamTokens
  const token = Object.hasOwn(tokens, provider) ? tokens[provider]?.reveal() : undefined
  if (token === undefined || token === '') return undefined
  const segments = token.split('.')
  return segments.length === 3 ? jwtClaims(segments) : requestClaims(identity)
}

/** `sub` and `iss` are those of the identity: an authenticator that uses no token has no claims. */
function requestClaims(identity: Identity): JsonObject {
  return { ...identity.claims, sub: identity.subject, iss: identity.issuer }
}

/** Not verified: the provider gave the token to the gateway itself. */
function jwtClaims([header, payload]: readonly string[]): JsonObject | undefined {
  return decoded(header) === undefined ? undefined : decoded(payload)
}

function decoded(segment: string | undefined): JsonObject | undefined {
  if (segment === undefined || !/^[A-Za-z0-9_-]+$/.test(segment)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
