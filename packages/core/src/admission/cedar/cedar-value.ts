import { isJsonObject } from '@vmcp/domain'
import type { JsonObject } from '@vmcp/domain'
import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs'

/** How deep claims may nest; what is deeper is left out. */
const deepest = 10
/** The doubles next to the limits of a 64-bit Long. */
const largestLong = 9223372036854774784
/** The limit of a Cedar decimal. */
const largestDecimal = 922337203685477.5807
/** Keys by which JSON would name entities and functions: whoever sends data must not be able to use them. */
const escapes = new Set(['__entity', '__extn', '__expr'])

/**
 * A JSON value as Cedar sees it: whole numbers are Longs, others decimals with four digits, arrays sets and objects
 * records. A number out of range is given as the limit, so that comparisons stay true. `undefined` is what Cedar has no
 * value for: null, what is nested too deep, what is not JSON.
 */
export function cedarValue(value: unknown, depth = 0): CedarValueJson | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return cedarNumber(value)
  if (depth >= deepest) return undefined
  if (Array.isArray(value)) return cedarSet(value, depth)
  return isJsonObject(value) ? cedarRecord(value, depth) : undefined
}

/** True for the values that Cedar can compare: text, numbers and truth values. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && !Number.isNaN(value))
}

function cedarNumber(value: number): CedarValueJson | undefined {
  if (Number.isNaN(value)) return undefined
  if (Number.isInteger(value)) return Math.min(Math.max(value, -largestLong), largestLong)
  const inRange = Math.abs(value) < largestDecimal
  const digits = inRange ? value.toFixed(4) : value < 0 ? '-922337203685477.5807' : '922337203685477.5807'
  return { __extn: { fn: 'decimal', arg: digits } }
}

function cedarSet(values: readonly unknown[], depth: number): CedarValueJson {
  return values.map((value) => cedarValue(value, depth + 1)).filter((value) => value !== undefined)
}

function cedarRecord(fields: JsonObject, depth: number): CedarValueJson {
  const entries: [string, CedarValueJson][] = []
  for (const [key, field] of Object.entries(fields)) {
    const value = escapes.has(key) ? undefined : cedarValue(field, depth + 1)
    if (value !== undefined) entries.push([key, value])
  }
  return Object.fromEntries(entries)
}
