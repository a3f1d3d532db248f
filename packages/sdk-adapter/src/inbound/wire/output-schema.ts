import type { JsonObject, JsonSchema } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

/**
 * A tool's output schema for 2025-11-25, where results are objects. A schema of an object stays; one of another type is
 * wrapped as `{ result }`, like its results; one that does not say, or cannot be moved, is left out.
 */
export function objectOutputSchema(schema: JsonSchema): JsonSchema | undefined {
  const type = schema['type']
  if (type === 'object') return schema
  if (typeof type !== 'string' || refersToItself(schema)) return undefined
  const { $schema, $defs, ...described } = schema
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result: described },
    required: ['result'],
    ...($defs !== undefined && { $defs }),
  }
}

/** A result's `structuredContent` for 2025-11-25: an object as it is, anything else as `{ result }`. */
export function objectStructuredContent(value: unknown): JsonObject {
  return isJsonObject(value) ? value : { result: value }
}

/** True when a reference would point elsewhere after wrapping: to the root, or to a place outside `$defs`. */
function refersToItself(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refersToItself)
  if (!isJsonObject(schema)) return false
  return Object.entries(schema).some(([keyword, value]) =>
    (keyword === '$ref' || keyword === '$dynamicRef') && typeof value === 'string'
      ? value.startsWith('#') && !value.startsWith('#/$defs/') && (value === '#' || value.startsWith('#/'))
      : refersToItself(value),
  )
}
