import { plainDecimal } from '../print.js'
import { TemplateFault } from '../template-errors.js'
import { pad } from './printf-directive.js'
import type { Directive } from './printf-directive.js'
import { goQuote } from './quote.js'

/** A number under a printf verb. Undefined when the verb is none for this number. */
export function formatNumber(directive: Directive, value: number): string | undefined {
  const { verb } = directive
  if (verb === 'c' || verb === 'q') return formatCharacter(directive, value)
  const digits = digitsOf(directive, Math.abs(value))
  return digits === undefined ? undefined : padNumber(withSign(directive, value, digits), directive)
}

/** The most digits that JavaScript writes after the point. */
const MAX_PRECISION = 100

function digitsOf({ verb, precision }: Directive, value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined
  if (precision !== null && precision > MAX_PRECISION) {
    throw new TemplateFault(`printf: a number has a precision of at most ${MAX_PRECISION}`)
  }
  switch (verb) {
    case 'v':
    case 'g':
      return precision === null ? plainDecimal(value) : plainDecimal(Number(value.toPrecision(Math.max(1, precision))))
    case 'f':
    case 'F':
      return fixed(value, precision ?? 6)
    case 'e':
      return value.toExponential(precision ?? 6).replace(/e([+-])(\d)$/, 'e$10$2')
    case 'd':
      return inBase(value, 10, precision)
    case 'x':
      return inBase(value, 16, precision)
    case 'X':
      return inBase(value, 16, precision)?.toUpperCase()
    case 'o':
      return inBase(value, 8, precision)
    case 'b':
      return inBase(value, 2, precision)
    default:
      return undefined
  }
}

/** Halves round up, where Go rounds them to even. `toFixed` turns to an exponent at 1e21, where a number has no fraction any more. */
function fixed(value: number, precision: number): string {
  if (value < 1e21) return value.toFixed(precision)
  return plainDecimal(value) + (precision > 0 ? `.${'0'.repeat(precision)}` : '')
}

/** A precision is the least number of digits. */
function inBase(value: number, base: number, precision: number | null): string | undefined {
  return Number.isInteger(value)
    ? BigInt(value)
        .toString(base)
        .padStart(precision ?? 0, '0')
    : undefined
}

function formatCharacter(directive: Directive, value: number): string | undefined {
  if (!Number.isInteger(value)) return undefined
  const exists = value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff)
  const character = exists ? String.fromCodePoint(value) : '\ufffd'
  return pad(directive.verb === 'q' ? goQuote(character, "'") : character, directive)
}

function withSign({ flags, verb }: Directive, value: number, digits: string): string {
  if (value < 0) return `-${digits}`
  if (flags.includes('+') && verb !== 'v') return `+${digits}`
  return flags.includes(' ') ? ` ${digits}` : digits
}

/** Zeros go between the sign and the digits. */
function padNumber(text: string, directive: Directive): string {
  const { flags, width, precision, verb } = directive
  const isExact = precision !== null && 'dxXob'.includes(verb)
  if (isExact) return pad(text, { ...directive, flags: flags.replaceAll('0', '') })
  if (!flags.includes('0') || flags.includes('-')) return pad(text, directive)
  const sign = /^[+\- ]/.exec(text)?.[0] ?? ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}
