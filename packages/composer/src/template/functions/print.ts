import type { Work } from '../limits.js'
import type { Operand } from '../operand.js'
import { formatValue } from '../print.js'

/** `print`: the texts of all values, with a space between two that are no strings. */
export function printAll(args: readonly Operand[], work: Work): string {
  return args
    .map((argument, index) => {
      const previous = args[index - 1]
      const apart = previous !== undefined && !isText(previous) && !isText(argument)
      return (apart ? ' ' : '') + formatValue(argument.value, work)
    })
    .join('')
}

/** `println`: the texts of all values with spaces between them and a line break at the end. */
export function printLine(args: readonly Operand[], work: Work): string {
  return `${args.map(({ value }) => formatValue(value, work)).join(' ')}\n`
}

function isText({ value }: Operand): boolean {
  return typeof value === 'string'
}
