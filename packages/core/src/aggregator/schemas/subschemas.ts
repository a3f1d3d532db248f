import { isJsonObject } from '@vmcp/domain'
import type { JsonSchema } from '@vmcp/domain'

/** A schema inside another, and how it is reached. */
export interface Subschema {
  /** The keyword that holds it, such as `properties`. */
  readonly keyword: string
  /** Its name under that keyword, where it has one. */
  readonly name?: string
  readonly schema: JsonSchema
}

const single = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const lists = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])
const maps = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'])

/**
 * The schemas directly inside a schema (draft-07 and 2020-12 keywords). Data such as `const`, `enum`, `default` and
 * `examples` is not searched: a `$ref` in it is no reference.
 */
export function subschemasOf(schema: JsonSchema): readonly Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      if (!lists.has(keyword)) continue
      for (const item of value) if (isJsonObject(item)) found.push({ keyword, schema: item })
    } else if (maps.has(keyword)) {
      for (const [name, item] of Object.entries(value))
        if (isJsonObject(item)) found.push({ keyword, name, schema: item })
    } else if (single.has(keyword) && isJsonObject(value)) {
      found.push({ keyword, schema: value })
    }
  }
  return found
}
