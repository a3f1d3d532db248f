import type { Identity, JsonObject } from '@vmcp/domain'
import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs'

import { cedarValue } from './cedar-value.js'
import type { RequestEntity } from './entity-store.js'
import { claimsOf } from './claims.js'
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
  /** The provider whose token holds the claims; absent means that the request's token does. */
  readonly primaryUpstreamProvider?: string
  /** The Cedar type of groups. */
  readonly groupEntityType: string
  readonly mentions: Mentions
}

/** The caller as `Client::"<sub>"` in its groups, or `undefined` for one without claims or subject: that is nobody. */
export function principalOf(identity: Identity, options: PrincipalOptions): Principal | undefined {
  const given = claimsOf(identity, options.primaryUpstreamProvider)
  const subject = given?.['sub']
  if (given === undefined || typeof subject !== 'string' || subject === '') return undefined
  const claims = claimAttributes(given, options.mentions)
  const groups = groupsOf(identity, given, options)
  const parents = groups.map((id) => ({ type: options.groupEntityType, id }))
  return {
    entity: { uid: { type: 'Client', id: subject }, attrs: { ...claims }, parents },
    claims,
    key: JSON.stringify([subject, groups, claims]),
  }
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
