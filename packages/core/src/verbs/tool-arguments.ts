import { InvalidInput, isJsonObject } from '@vmcp/domain'
import type { CallToolRequest, JsonObject } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

/**
 * The arguments of a call, as a copy that a backend's client cannot change the caller's object through.
 * Absent ones are `{}`; what is no object is `InvalidInput`.
 */
export function toolArguments(request: CallToolRequest): Effect.Effect<JsonObject, InvalidInput> {
  const args: unknown = request.arguments ?? (request.arguments === undefined ? {} : null)
  if (isJsonObject(args)) return Effect.succeed({ ...args })
  const type = args === null ? 'null' : Array.isArray(args) ? 'array' : typeof args
  return Effect.fail(new InvalidInput(`arguments must be object, got ${type}`, { field: 'arguments' }))
}
