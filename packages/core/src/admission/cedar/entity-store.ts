import { isJsonObject } from '@vmcp/domain'
import type { ConfigProblem } from '@vmcp/domain'
import type { EntityJson, EntityUidJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'

import type { Cedar } from './engine-module.js'

/** The entities that the configuration brings. */
export interface EntityStore {
  /**
   * The entities of one request: its own ones, joined with what the store says of them, and those of the store that can
   * be reached from them or from the policies. Cedar's time grows with each entity, so no others are handed over.
   */
  readonly complete: (own: readonly RequestEntity[]) => EntityJson[]
  /** The types of the entities in it. */
  readonly types: ReadonlySet<string>
}

/** An entity that is made for a request. */
export interface RequestEntity extends EntityJson {
  readonly uid: TypeAndId
  readonly parents: TypeAndId[]
}

/** Reads `entitiesJson`: the store, or what is wrong with the text. */
export function readEntities(
  cedar: Cedar,
  text: string,
  named: readonly TypeAndId[],
): EntityStore | readonly ConfigProblem[] {
  const failed = (message: string): readonly ConfigProblem[] => [{ path: 'authorization.entitiesJson', message }]
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'not JSON')
  }
  if (!Array.isArray(data)) return failed('expected a JSON array of Cedar entities')
  const entities: EntityJson[] = data.map((entity) => ({ attrs: {}, parents: [], ...entity }))
  const answer = cedar.checkParseEntities({ entities })
  if (answer.type === 'failure') {
    return failed(answer.errors.map((error) => error.message).join('; '))
  }
  return entityStore(entities, named)
}

function entityStore(entities: readonly EntityJson[], named: readonly TypeAndId[]): EntityStore {
  const known = new Map(entities.map((entity) => [keyOf(entity.uid), entity]))
  const fromPolicies = reach(known, named)
  return {
    types: new Set(entities.map((entity) => plain(entity.uid).type)),
    complete(own) {
      if (known.size === 0) return [...own]
      const joined = own.map((entity) => join(entity, known.get(keyOf(entity.uid))))
      const others = new Map([...fromPolicies, ...reach(known, joined.flatMap(references))])
      for (const entity of own) others.delete(keyOf(entity.uid))
      return [...joined, ...others.values()]
    },
  }
}

/** What the request says of an attribute wins; the parents of both count. */
function join(entity: RequestEntity, stored: EntityJson | undefined): EntityJson {
  if (stored === undefined) return entity
  return {
    ...stored,
    ...entity,
    attrs: { ...stored.attrs, ...entity.attrs },
    parents: [...entity.parents, ...stored.parents],
  }
}

function reach(known: ReadonlyMap<string, EntityJson>, seeds: readonly TypeAndId[]): Map<string, EntityJson> {
  const reached = new Map<string, EntityJson>()
  const waiting = [...seeds]
  for (let uid = waiting.pop(); uid !== undefined; uid = waiting.pop()) {
    const key = keyOf(uid)
    const entity = known.get(key)
    if (entity === undefined || reached.has(key)) continue
    reached.set(key, entity)
    waiting.push(...references(entity))
  }
  return reached
}

/** The entities that an entity leads to: its parents, and those in its attributes and tags. */
function references(entity: EntityJson): TypeAndId[] {
  const found = entity.parents.map(plain)
  collectReferences(entity.attrs, found)
  collectReferences(entity.tags, found)
  return found
}

function collectReferences(value: unknown, found: TypeAndId[]): void {
  if (Array.isArray(value)) for (const item of value) collectReferences(item, found)
  if (!isJsonObject(value)) return
  const { type, id } = value
  if (typeof type === 'string' && typeof id === 'string') found.push({ type, id })
  for (const field of Object.values(value)) collectReferences(field, found)
}

function plain(uid: EntityUidJson): TypeAndId {
  return '__entity' in uid ? uid.__entity : uid
}

function keyOf(uid: EntityUidJson): string {
  const { type, id } = plain(uid)
  return JSON.stringify([type, id])
}
