import { isJsonObject } from '@vmcp/domain'
import type { JsonObject } from '@vmcp/domain'
import type { PolicyJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'

/** What a policy set can look at. Nothing else can change its answer, so nothing else is handed to it or cached by. */
export interface Mentions {
  /** True for an attribute of an entity or of the context that some policy names. */
  readonly attribute: (name: string) => boolean
  /** True when some policy looks at arguments of a tool. */
  readonly arguments: boolean
  /** The entities that policies name. */
  readonly entities: readonly TypeAndId[]
}

/**
 * Reads from policies which attributes and entities they name.
 * In Cedar an attribute can be reached by its literal name only; the one exception is the context as a whole value
 * (`context == {…}`), and a policy that uses it is taken to name everything.
 */
export function mentionsOf(policies: readonly PolicyJson[]): Mentions {
  const found: Found = { attributes: new Set(), entities: [], wholeContext: false }
  for (const policy of policies) collect(policy, found)
  const { attributes, entities, wholeContext } = found
  return {
    attribute: (name) => wholeContext || attributes.has(name),
    arguments: wholeContext || [...attributes].some((name) => name.startsWith('arg_')),
    entities,
  }
}

interface Found {
  readonly attributes: Set<string>
  readonly entities: TypeAndId[]
  wholeContext: boolean
}

function collect(node: unknown, found: Found): void {
  if (Array.isArray(node)) for (const item of node) collect(item, found)
  if (!isJsonObject(node)) return
  if (node['Var'] === 'context') found.wholeContext = true
  if (typeof node['type'] === 'string' && typeof node['id'] === 'string') {
    found.entities.push({ type: node['type'], id: node['id'] })
  }
  for (const [key, value] of Object.entries(node)) {
    if ((key === '.' || key === 'has') && isJsonObject(value)) collectAccess(value, found)
    else collect(value, found)
  }
}

function collectAccess(access: JsonObject, found: Found): void {
  const { left, attr } = access
  for (const name of Array.isArray(attr) ? attr : [attr]) if (typeof name === 'string') found.attributes.add(name)
  if (!(isJsonObject(left) && left['Var'] === 'context')) collect(left, found)
}
