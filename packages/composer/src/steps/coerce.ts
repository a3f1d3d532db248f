import { isJsonObject } from '@vmcp/domain'
import type { JsonObject } from '@vmcp/domain'

/**
 * The value as a JSON Schema wants it, where a template left text: integers, numbers and booleans are read from text, and
 * scalars become text where text is wanted. What cannot be read stays as it is: the backend says what is wrong with it.
 */
export function coerce(value: unknown, schema: unknown): unknown {
  if (!isJsonObject(schema)) return value
  if (typeof value === 'string') return coerceText(value, schema['type'])
  if (typeof value === 'number' || typeof value === 'boolean') return schema['type'] === 'string' ? `${value}` : value
  if (Array.isArray(value)) return coerceItems(value, schema)
  return isJsonObject(value) ? coerceProperties(value, schema) : value
}

/** The integer a text is, base 10, or undefined. One past 2^53 is not read: the number would be another one. */
export function readInteger(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const integer = Number(text)
  return Number.isSafeInteger(integer) ? integer : undefined
}

/** The number a text is, or undefined. */
export function readNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** The boolean a text is, or undefined. It knows 1, t, T, TRUE, true, True, 0, f, F, FALSE, false and False. */
export function readBoolean(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  return undefined
}

function coerceText(text: string, type: unknown): unknown {
  if (type === 'integer') return readInteger(text) ?? text
  if (type === 'number') return readNumber(text) ?? text
  if (type === 'boolean') return readBoolean(text) ?? text
  return text
}

function coerceItems(values: readonly unknown[], schema: JsonObject): readonly unknown[] {
  const items = schema['items']
  return isJsonObject(items) ? values.map((value) => coerce(value, items)) : values
}

function coerceProperties(value: JsonObject, schema: JsonObject): JsonObject {
  const properties = schema['properties']
  if (!isJsonObject(properties)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      Object.hasOwn(properties, key) ? coerce(item, properties[key]) : item,
    ]),
  )
}
