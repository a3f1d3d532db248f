import type { Work } from './limits.js'
import { TemplateFault } from './template-errors.js'

/**
 * Where a value comes from, which is all that decides what its numbers compare with. Go tells integers from floats
 * and JavaScript does not, and workflows were written against Go, where a number that a backend sent as JSON is a
 * float and `ge .steps.s.output.n 10` fails with "incompatible types for comparison". So:
 *
 * - `json`, below `.steps.<id>.output` and `.content` and out of `fromJson`: floats, which do not compare with integers;
 * - `integer` and `float`: a literal as it is written, and counts such as `len` and a range's index;
 * - `own`, all the rest (params, defaults, `.workflow`, `.forEach`, the counts of a loop step): both at once, because
 *   Go has integers there when they come from YAML and floats when they come from a caller.
 *
 * `root`, `steps` and `step` are the levels above the first kind.
 */
export type Origin = 'root' | 'steps' | 'step' | 'json' | 'own' | 'integer' | 'float'

/** A value while a template runs. `undefined` is a missing key, `null` an explicit one. */
export interface Operand {
  readonly value: unknown
  readonly origin: Origin
}

/** What a missing key gives. */
export const missing: Operand = { value: undefined, origin: 'own' }

/** A value that the template itself made. */
export function own(value: unknown): Operand {
  return { value, origin: 'own' }
}

/** A count or a position. */
export function integer(value: number): Operand {
  return { value, origin: 'integer' }
}

/** The element at a key. Only what the container itself holds as data is seen: nothing inherited, no getter. */
export function elementOf(container: Operand, key: string | number): Operand {
  const value = readOwn(container.value, key)
  return { value, origin: originOfElement(container.origin, key, value) }
}

/** Follows field names, as `.a.b` does: a missing key stays missing, a field of anything but an object is an error. */
export function fieldOf(start: Operand, path: readonly string[]): Operand {
  return path.reduce((operand, name) => {
    if (operand.value === undefined) return missing
    if (operand.value === null) throw new TemplateFault(`nil value has no field ${name}`)
    if (!isMap(operand.value)) throw new TemplateFault(`can't evaluate field ${name} in type ${typeOf(operand)}`)
    return elementOf(operand, name)
  }, start)
}

/** True for an object with string keys. */
export function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own data property at a key. Functions and symbols are not data. */
export function readOwn(container: unknown, key: string | number): unknown {
  if (typeof container !== 'object' || container === null) return undefined
  const property = Object.getOwnPropertyDescriptor(container, key)
  if (property === undefined || !property.enumerable || !Object.hasOwn(property, 'value')) return undefined
  const value: unknown = property.value
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value
}

/** The name Go has for a value's type. */
export function typeOf({ value, origin }: Operand): string {
  if (value === undefined || value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value !== 'number') return typeof value
  return origin === 'integer' || (origin === 'own' && Number.isInteger(value)) ? 'int' : 'float64'
}

/** Whether a condition holds: an empty or missing value does not. */
export function isTruthy({ value }: Operand, work: Work): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isMap(value)) return work.sortedKeys(value).length > 0
  return Boolean(value)
}

function originOfElement(container: Origin, key: string | number, value: unknown): Origin {
  if (container === 'root') return key === 'steps' ? 'steps' : 'own'
  if (container === 'steps') return 'step'
  if (container === 'step') return (key === 'output' || key === 'content') && !isLoopOutput(value) ? 'json' : 'own'
  return container
}

/** The output of a forEach step: the engine counted it, so its numbers are not out of JSON. */
function isLoopOutput(value: unknown): boolean {
  return (
    ['completed', 'failed', 'count'].every((key) => typeof readOwn(value, key) === 'number') &&
    Array.isArray(readOwn(value, 'iterations'))
  )
}
