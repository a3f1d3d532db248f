import type { Work } from '../limits.js'
import type { Operand } from '../operand.js'

/** A function that templates can call. It sees its arguments and nothing else, and fails with a `TemplateFault`. */
export interface TemplateFunction {
  readonly minimum: number
  readonly maximum: number
  readonly call: (args: readonly Operand[], work: Work) => Operand
}

/** A function that takes exactly one argument. */
export function unary(call: (argument: Operand, work: Work) => Operand): TemplateFunction {
  return { minimum: 1, maximum: 1, call: ([argument], work) => call(argument as Operand, work) }
}

/** A function that takes any number of arguments, but at least this many. */
export function variadic(minimum: number, call: TemplateFunction['call']): TemplateFunction {
  return { minimum, maximum: Infinity, call }
}
