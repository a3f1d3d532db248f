import { isJsonObject } from '@vmcp/domain'
import type { JsonSchema } from '@vmcp/domain'

import { boundedJson } from './json-bounds.js'
import { isKnownType } from './meta-schema.js'
import { findDanglingHolders } from './references.js'
import { checkSchema } from './check-schema.js'

const otherWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bool: 'boolean',
    dict: 'object',
    double: 'number',
    float: 'number',
    int: 'integer',
    list: 'array',
    long: 'integer',
    map: 'object',
    str: 'string',
  }),
)

/**
 * A usable input schema in place of one that is not: unknown types are translated or left out, references that lead
 * nowhere are left out, and what still cannot be used becomes a schema that accepts any object.
 */
export function repairInputSchema(schema: unknown): JsonSchema {
  const anyObject: JsonSchema = { type: 'object' }
  if (!isJsonObject(schema) || 'problem' in boundedJson(schema)) return anyObject
  const mended = mend(schema, findDanglingHolders(schema))
  if (!isJsonObject(mended)) return anyObject
  const verdict = checkSchema('inputSchema', mended)
  return verdict.problem === undefined && verdict.headerProblem === undefined ? mended : anyObject
}

/** Only `type` where a schema keyword may stand is touched: a property that is called "type" holds an object. */
function mend(value: unknown, dangling: ReadonlySet<JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => mend(item, dangling))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (dangling.has(value) && (key === '$ref' || key === '$dynamicRef')) return []
    if (key === 'type' && typeof inner === 'string' && !isKnownType(inner)) {
      const type = otherWords.get(inner)
      return type === undefined ? [] : [[key, type]]
    }
    if (isData(key)) return [[key, inner]]
    return [[key, mend(inner, dangling)]]
  })
  return Object.fromEntries(entries)
}

function isData(key: string): boolean {
  return key === 'const' || key === 'default' || key === 'enum' || key === 'examples'
}
