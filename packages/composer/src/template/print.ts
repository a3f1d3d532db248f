import { MAX_VALUE_DEPTH } from './limits.js'
import type { Work } from './limits.js'
import { isMap, readOwn } from './operand.js'
import type { Operand } from './operand.js'
import { TemplateFault } from './template-errors.js'

/** The text of a missing or null value. */
export const NO_VALUE = '<no value>'

/** The text that `{{ … }}` leaves: Go's, such as `map[a:1 b:2]` and `[x y]`, with `<no value>` for what is not there. */
export function printOperand({ value }: Operand, work: Work): string {
  return value === undefined || value === null ? NO_VALUE : formatValue(value, work)
}

/** The text of a value as Go's `fmt.Print` writes it: null is `<nil>`, keys are sorted, text is not quoted. */
export function formatValue(value: unknown, work: Work, depth = 0): string {
  return formatWith(value, { work, depth, scalar: formatScalar })
}

/** How the parts of a value are written. */
export interface Format {
  readonly work: Work
  readonly depth: number
  readonly scalar: (value: unknown) => string
}

/** The Go syntax of lists and maps around scalars that are written some way of their own. */
export function formatWith(value: unknown, format: Format): string {
  if (format.depth > MAX_VALUE_DEPTH) throw new TemplateFault(`value nests too deep (max ${MAX_VALUE_DEPTH})`)
  const inner = { ...format, depth: format.depth + 1 }
  if (Array.isArray(value)) {
    const items = Array.from(value, (_, index) => formatWith(readOwn(value, index), inner))
    return `[${items.join(' ')}]`
  }
  if (isMap(value)) {
    const entries = format.work.sortedKeys(value).map((key) => {
      format.work.spendText(key)
      return `${format.scalar(key)}:${formatWith(readOwn(value, key), inner)}`
    })
    return `map[${entries.join(' ')}]`
  }
  const text = format.scalar(value)
  format.work.spendText(text)
  return text
}

/** The text of a boolean, number, string or null. */
export function formatScalar(value: unknown): string {
  if (value === undefined || value === null) return '<nil>'
  return typeof value === 'number' ? plainDecimal(value) : String(value)
}

/**
 * A number in decimal notation, with the fewest digits that read back the same and never an exponent. Go writes
 * floats of 1e6 and more as `1e+06`, which no longer is an integer for the tool that gets it; we do not.
 */
export function plainDecimal(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const text = Object.is(value, -0) ? '-0' : String(value)
  const [mantissa = '', exponent] = text.split('e')
  if (exponent === undefined) return text
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : `${sign}${digits.padEnd(point, '0')}`
}
