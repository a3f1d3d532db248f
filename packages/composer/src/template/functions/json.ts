import { MAX_VALUE_DEPTH } from '../limits.js'
import type { Work } from '../limits.js'
import { isMap, readOwn, typeOf } from '../operand.js'
import type { Operand } from '../operand.js'
import { TemplateFault } from '../template-errors.js'

/** `json`: the value as JSON, with sorted keys and with `<`, `>` and `&` escaped. A missing value is `null`. */
export function toJson(value: unknown, work: Work): string {
  return write(value, work, 0)
}

/** `fromJson`: the value that a JSON text holds. The error does not quote the text. */
export function fromJson(operand: Operand): Operand {
  const { value } = operand
  if (typeof value !== 'string')
    throw new TemplateFault(`wrong type for value; expected string; got ${typeOf(operand)}`)
  try {
    return { value: JSON.parse(value), origin: 'json' }
  } catch {
    throw new TemplateFault('invalid JSON')
  }
}

function write(value: unknown, work: Work, depth: number): string {
  if (depth > MAX_VALUE_DEPTH) throw new TemplateFault(`value nests too deep (max ${MAX_VALUE_DEPTH})`)
  if (Array.isArray(value)) {
    work.spend(1)
    return `[${Array.from(value, (_, index) => write(readOwn(value, index), work, depth + 1)).join(',')}]`
  }
  if (isMap(value)) {
    work.spend(1)
    const entries = work.sortedKeys(value).flatMap((key) => {
      const element = readOwn(value, key)
      return element === undefined ? [] : [`${writeText(key, work)}:${write(element, work, depth + 1)}`]
    })
    return `{${entries.join(',')}}`
  }
  if (typeof value === 'string') return writeText(value, work)
  work.spend(1)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TemplateFault('a number that is not finite has no JSON')
  if (Object.is(value, -0)) return '-0'
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'null'
}

function writeText(text: string, work: Work): string {
  work.spendText(text)
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
