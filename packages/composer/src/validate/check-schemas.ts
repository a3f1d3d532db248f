import { isJsonObject } from '@vmcp/domain'
import type { ConfigProblem, JsonSchema } from '@vmcp/domain'
import { compileSchema } from '../json-schema.js'
import { messageOf } from '../run/step-failure.js'

/** What is wrong with the schema of a workflow's arguments. An empty one is none. */
export function checkParameters(parameters: JsonSchema | undefined): readonly ConfigProblem[] {
  if (parameters === undefined) return []
  const path = 'parameters'
  if (!isJsonObject(parameters)) return [{ path, message: 'must be an object' }]
  if (Object.keys(parameters).length === 0) return []
  const { type, properties, required } = parameters
  if (type === undefined) return [{ path, message: "must have 'type' field (should be 'object' for JSON Schema)" }]
  if (typeof type !== 'string') return [{ path, message: "'type' field must be a string" }]
  if (type !== 'object') return [{ path, message: `'type' must be 'object' (got '${type}')` }]
  if (properties !== undefined && !isJsonObject(properties))
    return [{ path, message: "'properties' must be an object" }]
  if (required !== undefined && !Array.isArray(required)) return [{ path, message: "'required' must be an array" }]
  return checkSchema(parameters, path)
}

/** What is wrong with a JSON Schema: it does not load. */
export function checkSchema(schema: JsonSchema, path: string): readonly ConfigProblem[] {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    return [{ path, message: `invalid JSON Schema: ${messageOf(error)}` }]
  }
}
