import { isTruthy, own } from '../operand.js'
import { TemplateFault } from '../template-errors.js'
import { equals, isLess } from './compare.js'
import { elementAt, lengthOf, sliceOf } from './collections.js'
import { escapeHtml, escapeJavaScript, escapeQuery } from './escape.js'
import { fromJson, toJson } from './json.js'
import { printf } from './printf.js'
import { printAll, printLine } from './print.js'
import { quote } from './quote.js'
import { unary, variadic } from './template-function.js'
import type { TemplateFunction } from './template-function.js'

/**
 * Everything a template can call: the functions of composite tools (`json`, `fromJson`, `quote`) and Go's own.
 * `and` and `or` are here by name only: they stop early, so the evaluator carries them out.
 */
export const functions: ReadonlyMap<string, TemplateFunction> = new Map([
  ['json', unary(({ value }, work) => own(toJson(value, work)))],
  ['fromJson', unary(fromJson)],
  ['quote', unary(quote)],
  ['and', variadic(1, neverCalled)],
  ['or', variadic(1, neverCalled)],
  ['not', unary((argument, work) => own(!isTruthy(argument, work)))],
  ['eq', variadic(2, (args) => own(equals(args)))],
  ['ne', comparison((left, right) => !equals([left, right]))],
  ['lt', comparison(isLess)],
  ['le', comparison((left, right) => isLess(left, right) || equals([left, right]))],
  ['gt', comparison((left, right) => !isLess(left, right) && !equals([left, right]))],
  ['ge', comparison((left, right) => !isLess(left, right))],
  ['len', unary(lengthOf)],
  ['index', variadic(1, elementAt)],
  ['slice', variadic(1, sliceOf)],
  ['print', variadic(0, (args, work) => own(printAll(args, work)))],
  ['println', variadic(0, (args, work) => own(printLine(args, work)))],
  ['printf', variadic(1, printf)],
  ['html', variadic(0, (args, work) => own(escapeHtml(args, work)))],
  ['js', variadic(0, (args, work) => own(escapeJavaScript(args, work)))],
  ['urlquery', variadic(0, (args, work) => own(escapeQuery(args, work)))],
  ['call', variadic(1, refuseCall)],
])

function comparison(compare: (left: Parameters<typeof isLess>[0], right: Parameters<typeof isLess>[1]) => boolean) {
  const call: TemplateFunction['call'] = ([left, right]) =>
    own(compare(left ?? own(undefined), right ?? own(undefined)))
  return { minimum: 2, maximum: 2, call }
}

function refuseCall(): never {
  throw new TemplateFault('a value of the data is not a function')
}

function neverCalled(): never {
  throw new TemplateFault('and, or: carried out by the evaluator')
}
