import { createHash, timingSafeEqual } from 'node:crypto'
import type { Identity } from '@vmcp/domain'
import { InvalidInput } from '@vmcp/domain'

/** Whose a session is, as a digest: issuer and subject, so that a refreshed token of the same user still fits. */
export type Binding = Buffer

const separator = '\0'
/** An authenticator gives the same identity for the same token, so most callers are digested once. */
const known = new WeakMap<Identity, Binding>()
const anonymous = digest('unauthenticated')

/**
 * The binding of a caller; `null` is anonymous and differs from every identity.
 * Throws `InvalidInput` for an identity without a usable issuer and subject: it could not be told from another.
 */
export function bindTo(identity: Identity | null): Binding {
  if (identity === null) return anonymous
  const binding = known.get(identity) ?? digestOf(identity)
  known.set(identity, binding)
  return binding
}

function digestOf({ issuer, subject }: Identity): Binding {
  if (!isUsable(issuer) || !isUsable(subject)) throw new InvalidInput('the identity has no usable issuer and subject')
  return digest(`${issuer}${separator}${subject}`)
}

/** True when the caller is the one the session was bound to. It takes the same time for everybody else. */
export function isBoundTo(binding: Binding, identity: Identity | null): boolean {
  if (identity !== null && !(isUsable(identity.issuer) && isUsable(identity.subject))) return false
  const claimed = bindTo(identity)
  return claimed === binding || timingSafeEqual(binding, claimed)
}

function isUsable(part: unknown): boolean {
  return typeof part === 'string' && part !== '' && !part.includes(separator)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
