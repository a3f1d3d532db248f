import { TemplateFault } from '../template-errors.js'

/** What stands between `%` and the verb, and the verb. */
export interface Directive {
  readonly flags: string
  readonly width: number
  /** Null when it is not given. */
  readonly precision: number | null
  readonly verb: string
}

/** Reads one directive, such as `%-10s` or `%5.2f`. */
export function parseDirective(text: string): Directive {
  const [, flags = '', width = '', precision, verb = ''] = /^%([+\-# 0]*)(\d*)(?:\.(\d*))?([^]?)$/u.exec(text) ?? []
  if (flags.includes('#')) throw new TemplateFault(`printf: the flag # is not supported`)
  if (verb === '*' || verb === '[') throw new TemplateFault(`printf: %${verb} is not supported`)
  const directive = { flags, width: Number(width), precision: precision === undefined ? null : Number(precision), verb }
  if (directive.width > MAX_WIDTH || (directive.precision ?? 0) > MAX_WIDTH) {
    throw new TemplateFault(`printf: width or precision is over ${MAX_WIDTH}`)
  }
  return directive
}

/** Fills up to the width: on the right for `-`, else on the left, with zeros for `0`. */
export function pad(text: string, { flags, width }: Directive): string {
  const lack = width - Array.from(text).length
  if (lack <= 0) return text
  if (flags.includes('-')) return text + ' '.repeat(lack)
  return (flags.includes('0') ? '0' : ' ').repeat(lack) + text
}

/** Go's own bound: a width or precision over it is refused. */
const MAX_WIDTH = 1_000_000
