import { isJsonObject } from '@vmcp/domain'
import type { JsonSchema } from '@vmcp/domain'

import { subschemasOf } from './subschemas.js'

const referenceKeywords = ['$ref', '$dynamicRef'] as const
const wellKnown = /^https?:\/\/json-schema\.org\/(?:draft-0[3-7]|draft\/20(?:19-09|20-12))\/schema#?$/u

/**
 * The first reference that leads nowhere inside the schema. Nothing is ever fetched, so a reference to another document
 * leads nowhere too, unless it names the meta-schema itself.
 */
export function findDanglingReference(root: JsonSchema): string | undefined {
  const { resources, references } = collect(root)
  return references.find(({ text, resource }) => !resolves(text, resource, resources))?.text
}

/** The schemas inside `root`, itself included, that hold a reference which leads nowhere. */
export function findDanglingHolders(root: JsonSchema): ReadonlySet<JsonSchema> {
  const { resources, references } = collect(root)
  const dangling = references.filter(({ text, resource }) => !resolves(text, resource, resources))
  return new Set(dangling.map(({ holder }) => holder))
}

interface Reference {
  readonly text: string
  readonly holder: JsonSchema
  /** The schema with the nearest `$id`: what a fragment is relative to. */
  readonly resource: JsonSchema
}

interface Resources {
  readonly byId: ReadonlyMap<string, JsonSchema>
  readonly anchors: ReadonlySet<string>
  readonly root: JsonSchema
}

function collect(root: JsonSchema): { readonly resources: Resources; readonly references: readonly Reference[] } {
  const byId = new Map<string, JsonSchema>()
  const anchors = new Set<string>()
  const references: Reference[] = []
  const visit = (schema: JsonSchema, outer: JsonSchema): void => {
    const id = schema['$id']
    let resource = outer
    if (typeof id === 'string') {
      if (id.startsWith('#')) anchors.add(id.slice(1))
      else {
        byId.set(withoutFragment(id), schema)
        resource = schema
      }
    }
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = schema[keyword]
      if (typeof anchor === 'string') anchors.add(anchor)
    }
    for (const keyword of referenceKeywords) {
      const text = schema[keyword]
      if (typeof text === 'string') references.push({ text, holder: schema, resource })
    }
    for (const { schema: inner } of subschemasOf(schema)) visit(inner, resource)
  }
  visit(root, root)
  return { resources: { byId, anchors, root }, references }
}

function resolves(text: string, resource: JsonSchema, resources: Resources): boolean {
  if (wellKnown.test(text)) return true
  const hash = text.indexOf('#')
  const document = hash < 0 ? text : text.slice(0, hash)
  const fragment = hash < 0 ? '' : text.slice(hash + 1)
  const targets = document === '' ? [resource, resources.root] : documentsNamed(document, resources)
  if (targets.length === 0) return false
  if (fragment === '') return true
  if (!fragment.startsWith('/')) return resources.anchors.has(fragment)
  return targets.some((target) => pointsToSchema(target, fragment))
}

/** By the `$id` as it is written, or by its last segment: a relative reference is resolved against a base. */
function documentsNamed(document: string, { byId }: Resources): readonly JsonSchema[] {
  const exact = byId.get(document)
  if (exact !== undefined) return [exact]
  return [...byId].filter(([id]) => id.endsWith(`/${document}`)).map(([, schema]) => schema)
}

function withoutFragment(id: string): string {
  const hash = id.indexOf('#')
  return hash < 0 ? id : id.slice(0, hash)
}

/** Follows a JSON Pointer (RFC 6901) in its URI fragment form. */
function pointsToSchema(target: JsonSchema, pointer: string): boolean {
  let current: unknown = target
  for (const part of pointer.split('/').slice(1)) {
    const key = decodePart(part)
    if (key === undefined || typeof current !== 'object' || current === null || !Object.hasOwn(current, key))
      return false
    current = (current as Record<string, unknown>)[key]
  }
  return isJsonObject(current) || typeof current === 'boolean'
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
