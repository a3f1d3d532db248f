import { isJsonObject } from '@vmcp/domain'
import type { ConfigProblem } from '@vmcp/domain'
import { messageOf } from '../run/step-failure.js'
import { TemplateSyntaxError } from '../template/template-errors.js'
import { parseTemplate } from '../template/template.js'

/** What is wrong with the syntax of a template, with line and column. */
export function checkTemplate(source: unknown, path: string): readonly ConfigProblem[] {
  if (typeof source !== 'string') return []
  try {
    parseTemplate(source)
    return []
  } catch (error) {
    const place = error instanceof TemplateSyntaxError ? ` (line ${error.line}, column ${error.column})` : ''
    return [{ path, message: `invalid template: ${messageOf(error)}${place}` }]
  }
}

/** The same for every string inside a value. */
export function checkTemplates(value: unknown, path: string): readonly ConfigProblem[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => checkTemplates(item, `${path}[${index}]`))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, item]) => checkTemplates(item, `${path}.${key}`))
  return checkTemplate(value, path)
}
