import type { Work } from '../limits.js'
import { own, typeOf } from '../operand.js'
import type { Operand } from '../operand.js'
import { formatScalar, formatWith } from '../print.js'
import { TemplateFault } from '../template-errors.js'
import { pad, parseDirective } from './printf-directive.js'
import type { Directive } from './printf-directive.js'
import { formatNumber } from './printf-number.js'
import { goQuote } from './quote.js'

/**
 * `printf`: Go's verbs v s q d x X o b c e f F g t and %, with the flags `+ - 0` and space, width and precision. Misuse
 * shows in the text as in Go, `%!d(string=hi)`; number verbs take any number that fits, also `%d` one out of JSON.
 */
export function printf([format, ...args]: readonly Operand[], work: Work): Operand {
  if (typeof format?.value !== 'string') throw new TemplateFault('printf: the format is not a string')
  let used = 0
  const pieces = format.value.split(/(%[+\-# 0]*\d*(?:\.\d*)?(?:[^]|$))/u).map((piece, index) => {
    if (index % 2 === 0) return piece
    const directive = parseDirective(piece)
    if (directive.verb === '%') return '%'
    if (directive.verb === '') return '%!(NOVERB)'
    const argument = args[used++]
    const text = argument === undefined ? `%!${directive.verb}(MISSING)` : formatArgument(directive, argument, work)
    work.spendText(text)
    return text
  })
  const extra = args.slice(used).map((argument) => describe(argument, work))
  if (extra.length > 0) pieces.push(`%!(EXTRA ${extra.join(', ')})`)
  return own(pieces.join(''))
}

function formatArgument(directive: Directive, argument: Operand, work: Work): string {
  return formatWith(argument.value, {
    work,
    depth: 0,
    scalar: (value) => {
      const isNested = argument.value !== value
      if (isNested && (value === undefined || value === null)) return '<nil>'
      const part: Operand = { value, origin: argument.origin }
      const text = formatOne(directive, part) ?? misuse(directive, part)
      work.spend(Math.floor(directive.width / 16))
      return text
    },
  })
}

function formatOne(directive: Directive, operand: Operand): string | undefined {
  const { value } = operand
  if (directive.verb === 'v' && typeof value !== 'number') {
    return pad(typeof value === 'string' ? cut(directive, value) : formatScalar(value), directive)
  }
  if (typeof value === 'string') return formatText(directive, value)
  if (typeof value === 'boolean') return directive.verb === 't' ? pad(String(value), directive) : undefined
  return typeof value === 'number' ? formatNumber(directive, value) : undefined
}

function formatText(directive: Directive, text: string): string | undefined {
  switch (directive.verb) {
    case 's':
      return pad(cut(directive, text), directive)
    case 'q':
      return pad(goQuote(cut(directive, text)), directive)
    case 'x':
    case 'X': {
      const hex = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
      return pad(directive.verb === 'X' ? hex.toUpperCase() : hex, directive)
    }
    default:
      return undefined
  }
}

/** A precision shortens a text to that many characters. */
function cut({ precision }: Directive, text: string): string {
  return precision === null ? text : Array.from(text).slice(0, precision).join('')
}

/** How a value shows that its verb is wrong. */
function misuse({ verb }: Directive, part: Operand): string {
  const type = typeOf(part)
  return type === '<nil>' ? `%!${verb}(<nil>)` : `%!${verb}(${type}=${formatScalar(part.value)})`
}

function describe(argument: Operand, work: Work): string {
  const type = typeOf(argument)
  const text = formatWith(argument.value, { work, depth: 0, scalar: formatScalar })
  return type === '<nil>' ? type : `${type}=${text}`
}
