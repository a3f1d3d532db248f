import { own, typeOf } from '../operand.js'
import type { Operand } from '../operand.js'
import { TemplateFault } from '../template-errors.js'

/** `quote`: the text as a Go string literal. Anything but a string is an error. */
export function quote(operand: Operand): Operand {
  const { value } = operand
  if (typeof value !== 'string')
    throw new TemplateFault(`wrong type for value; expected string; got ${typeOf(operand)}`)
  return own(goQuote(value))
}

/** A text between quotes, with everything escaped that does not print. */
export function goQuote(text: string, mark: '"' | "'" = '"'): string {
  const escaped = text.replace(/[\0-\x1f\x7f"'\\]|[^\0-\x7f]/gu, (character) => {
    if (character === '"' || character === "'") return character === mark ? `\\${character}` : character
    return SHORT.get(character) ?? (isPrintable(character) ? character : escapeCodePoint(character))
  })
  return mark + escaped + mark
}

/** True for letters, marks, numbers, punctuation, symbols and the space of ASCII. */
export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)
}

const SHORT = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
])

function escapeCodePoint(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0
  const hex = codePoint.toString(16)
  if (codePoint < 0x80) return `\\x${hex.padStart(2, '0')}`
  return codePoint > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}
