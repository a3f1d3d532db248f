import { isJsonObject } from '@vmcp/domain'
import type { Identity, JsonObject } from '@vmcp/domain'

const wellKnownClaims = ['groups', 'roles', 'cognito:groups']

/** Which claims hold the groups and roles of a caller. */
export interface GroupClaims {
  readonly groupClaimName?: string
  readonly roleClaimName?: string
}

/**
 * The groups and roles of a caller, each once.
 * The configured group claim comes first, then `groups`, `roles` and `cognito:groups`; the first that is a list wins,
 * even an empty one. Without any, the groups that the authenticator found are used. Roles are added.
 */
export function groupsOf(identity: Identity, claims: JsonObject, names: GroupClaims): readonly string[] {
  const groupClaims = names.groupClaimName === undefined ? wellKnownClaims : [names.groupClaimName, ...wellKnownClaims]
  const lists = groupClaims.map((name) => listClaim(claims, name))
  const groups = lists.find((list) => list !== undefined) ?? identity.groups
  const roles = names.roleClaimName === undefined ? [] : (listClaim(claims, names.roleClaimName) ?? [])
  return [...new Set([...groups, ...roles])]
}

function listClaim(claims: JsonObject, name: string): readonly string[] | undefined {
  const value = claimAt(claims, name)
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined
}

/** The claim of exactly that name, so that URLs work; else the name is a path of keys, such as `realm_access.roles`. */
function claimAt(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const key of name.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}
