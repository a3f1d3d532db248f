import { NO_VALUE } from '../print.js'
import type { Work } from '../limits.js'
import { own } from '../operand.js'
import type { Operand } from '../operand.js'
import { isPrintable } from './quote.js'
import { printAll } from './print.js'

/** `html`: text that is safe between tags and in quoted attributes. */
export function escapeHtml(args: readonly Operand[], work: Work): string {
  return textOf(args, work).replace(/[\0"&'<>]/g, (character) => HTML.get(character) ?? character)
}

/** `js`: text that is safe inside a JavaScript string. */
export function escapeJavaScript(args: readonly Operand[], work: Work): string {
  return textOf(args, work).replace(/[\0-\x1f"&'<=>\\]|[^\0-\x7f]/gu, (character) => {
    if (character === '\\' || character === '"' || character === "'") return `\\${character}`
    const codePoint = character.codePointAt(0) ?? 0
    if (codePoint > 0x7f && isPrintable(character)) return character
    return `\\u${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
  })
}

/** `urlquery`: text that is safe in the query of a URL. */
export function escapeQuery(args: readonly Operand[], work: Work): string {
  const wellFormed = textOf(args, work).replace(/\p{Surrogate}/gu, '\ufffd')
  return encodeURIComponent(wellFormed)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

const HTML = new Map([
  ['\0', '\ufffd'],
  ['"', '&#34;'],
  ['&', '&amp;'],
  ["'", '&#39;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])

/** A missing value is the text `<no value>` here, as if it had been given so. */
function textOf(args: readonly Operand[], work: Work): string {
  const given = args.map((argument) =>
    argument.value === undefined || argument.value === null ? own(NO_VALUE) : argument,
  )
  return printAll(given, work)
}
