import { isJsonObject, type JsonObject, type JsonSchema } from '@vmcp/domain'

/** Arguments of a call, as options of a command. */
export interface ArgumentOptions {
  /** All of them. */
  readonly arguments?: JsonObject
  /** One each; these win over `arguments`. */
  readonly argument?: readonly NamedText[]
}

/** One `key=value`. */
export type NamedText = readonly [key: string, value: string]

/**
 * The arguments that the options give. A text is taken as written where `parameters` wants a string or says nothing of
 * it, else as JSON; one that is not JSON stays a text, for the check of the arguments to name.
 */
export function readArguments(options: ArgumentOptions, parameters: JsonSchema | undefined): JsonObject {
  const properties = parameters?.['properties']
  const named = (options.argument ?? []).map(([key, value]): [string, unknown] => {
    const schema = isJsonObject(properties) ? properties[key] : undefined
    return [key, isJsonObject(schema) && !wantsText(schema) ? fromJson(value) : value]
  })
  return { ...options.arguments, ...Object.fromEntries(named) }
}

function wantsText({ type }: JsonSchema): boolean {
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))
}

function fromJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
