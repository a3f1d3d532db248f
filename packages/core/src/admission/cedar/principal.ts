import type { Identity, JsonObject } from '@vmcp/domain'
import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs'

import { cedarValue } from './cedar-value.js'
import type { RequestEntity } from './entity-store.js'
import { groupsOf } from './groups.js'
import type { GroupClaims } from './groups.js'
import type { Mentions } from './mentions.js'

/** A caller as policies see it. */
export interface Principal {
  readonly entity: RequestEntity
  /** `claim_<name>` for each claim that a policy mentions: attributes of the entity, and part of the context. */
  readonly claims: Readonly<Record<string, CedarValueJson>>
  /** All of the above as text: equal for callers whom no policy can tell apart. */
  readonly key: string
}

/** How callers become principals. */
export interface PrincipalOptions extends GroupClaims {
  /** The Cedar type of groups. */
  readonly groupEntityType: string
  readonly mentions: Mentions
}

/** The caller as `Client::"<subject>"` in its groups, or `undefined` for one without a subject: that is no principal. */
export function principalOf(identity: Identity, options: PrincipalOptions): Principal | undefined {
  if (identity.subject === '') return undefined
  const given = claimsOf(identity)
  const claims = claimAttributes(given, options.mentions)
  const groups = groupsOf(identity, given, options)
  const uid = { type: 'Client', id: identity.subject }
  const parents = groups.map((id) => ({ type: options.groupEntityType, id }))
  return {
    entity: { uid, attrs: { ...claims }, parents },
    claims,
    key: JSON.stringify([identity.subject, groups, claims]),
  }
}

/** The claims; `sub` and `iss` are there in any case, since an authenticator that uses no token has no claims. */
function claimsOf(identity: Identity): JsonObject {
  return { sub: identity.subject, iss: identity.issuer, ...identity.claims }
}

function claimAttributes(claims: JsonObject, mentions: Mentions): Readonly<Record<string, CedarValueJson>> {
  const attributes: Record<string, CedarValueJson> = {}
  for (const [name, claim] of Object.entries(claims)) {
    const attribute = `claim_${name}`
    const value = mentions.attribute(attribute) ? cedarValue(claim) : undefined
    if (value !== undefined) attributes[attribute] = value
  }
  return attributes
}
