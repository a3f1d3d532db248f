import { mentionsOf } from './mentions.js'
import type { NamedPolicy } from './policies.js'

/** True when other arguments of a tool call may turn a denial that these policies decided, by id, into a permission. */
export type ArgumentsMayHelp = (policyIds: readonly string[]) => boolean

/**
 * Reads from policies whether they look at arguments. A denial that no policy decided needs a permit that does; one that
 * some did stays when any of them does not.
 */
export function argumentsMayHelp(policies: readonly NamedPolicy[]): ArgumentsMayHelp {
  const looking = policies.filter(({ json }) => mentionsOf([json]).arguments)
  const ids = new Set(looking.map(({ id }) => id))
  const somePermits = looking.some(({ json }) => json.effect === 'permit')
  return (policyIds) => (policyIds.length === 0 ? somePermits : policyIds.every((id) => ids.has(id)))
}
