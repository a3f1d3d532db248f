import { isJsonObject } from '@vmcp/domain'
import type { OutputProperty } from '@vmcp/domain'
import { readBoolean, readInteger, readNumber } from '../steps/coerce.js'

/** The value a property's type wants of what its template gave, or undefined when it does not fit. */
export function readValue(type: OutputProperty['type'], given: unknown): unknown {
  switch (type) {
    case 'string':
      return given
    case 'integer':
      return typeof given === 'string' ? readInteger(given) : Number.isInteger(given) ? given : undefined
    case 'number':
      return typeof given === 'string' ? readNumber(given) : typeof given === 'number' ? given : undefined
    case 'boolean':
      return typeof given === 'string' ? readBoolean(given) : typeof given === 'boolean' ? given : undefined
    case 'object':
      return only(isJsonObject, typeof given === 'string' ? parseJson(given) : given)
    case 'array':
      return only(Array.isArray, typeof given === 'string' ? parseJson(given) : given)
  }
}

/** The default as the property's type wants it, or undefined when it does not fit. */
export function readDefault(type: OutputProperty['type'], value: unknown): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : readValue(type, value)
    case 'boolean':
      return defaultBoolean(value)
    default:
      return readValue(type, value)
  }
}

/** True unless the default is null, `{}` or `[]`, which count as none. */
export function hasDefault(property: OutputProperty): boolean {
  const value = property.default
  if (value === undefined || value === null) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function defaultBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value === 1 : undefined
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  if (['true', 'True', 'TRUE', '1'].includes(value)) return true
  if (['false', 'False', 'FALSE', '0'].includes(value)) return false
  return undefined
}

function only<Value>(fits: (value: unknown) => value is Value, value: unknown): Value | undefined {
  return fits(value) ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
