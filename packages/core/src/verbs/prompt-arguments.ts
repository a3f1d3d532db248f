import { InvalidInput, isJsonObject } from '@vmcp/domain'
import type { GetPromptRequest } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

/**
 * The arguments of a prompt as a copy in which every value is text, as the protocol has it: `5` is `"5"`, `true` is
 * `"true"`, an object or a list is its JSON. What is no object is `InvalidInput`.
 */
export function promptArguments(
  request: GetPromptRequest,
): Effect.Effect<Readonly<Record<string, string>> | undefined, InvalidInput> {
  const args: unknown = request.arguments
  if (args === undefined) return Effect.succeed(undefined)
  if (!isJsonObject(args)) {
    return Effect.fail(new InvalidInput('arguments must be object', { field: 'arguments' }))
  }
  return Effect.succeed(Object.fromEntries(Object.entries(args).map(([name, value]) => [name, asText(value)])))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
