import { MAX_EXPANSION_DEPTH } from './limits.js'
import { readOwn } from './operand.js'
import { NO_VALUE } from './print.js'
import { evaluateTemplate, parseTemplate } from './template.js'
import type { Template, TemplateData } from './template.js'
import { isTemplateError, TemplateExecutionError, TemplateSyntaxError } from './template-errors.js'

/**
 * Expands every string in a value, through arrays and objects; keys and everything else stay as they are. A string
 * that is exactly one expression becomes that expression's value, with its type; a missing one becomes `<no value>`.
 */
export function expandValue(value: unknown, data: TemplateData): unknown {
  return expand(value, data, 0)
}

function expand(value: unknown, data: TemplateData, depth: number): unknown {
  if (depth > MAX_EXPANSION_DEPTH) throw new ExpansionTooDeep()
  if (typeof value === 'string') return expandText(value, data)
  if (Array.isArray(value)) {
    return value.map((element, index) => within(`array element ${index}`, () => expand(element, data, depth + 1)))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.keys(value).map((key) => {
    const place = depth === 0 ? `value for key ${JSON.stringify(key)}` : `nested key ${JSON.stringify(key)}`
    return [key, within(place, () => expand(readOwn(value, key), data, depth + 1))] as const
  })
  return Object.fromEntries(entries)
}

function expandText(source: string, data: TemplateData): unknown {
  if (!source.includes('{{')) return source
  const value = evaluateTemplate(cachedTemplate(source), data)
  return value === undefined ? NO_VALUE : value
}

/** Puts the place in front of an error. That values nest too deep is said without the hundred names on the way. */
function within<A>(place: string, run: () => A): A {
  try {
    return run()
  } catch (error) {
    if (error instanceof ExpansionTooDeep || !isTemplateError(error)) throw error
    const Wrapped = error instanceof TemplateSyntaxError ? TemplateSyntaxError : TemplateExecutionError
    throw new Wrapped(`failed to expand ${place}: ${error.message}`, error, { cause: error })
  }
}

class ExpansionTooDeep extends TemplateExecutionError {
  constructor() {
    super(`template expansion depth limit exceeded: ${MAX_EXPANSION_DEPTH}`, { line: 1, column: 1 })
  }
}

const MAX_CACHED = 500
const MAX_CACHED_LENGTH = 8192
const cache = new Map<string, Template>()

/** The same text is parsed once while it is in use. The oldest makes room for a new one; long texts are not kept. */
function cachedTemplate(source: string): Template {
  const known = cache.get(source)
  if (known !== undefined) return known
  const template = parseTemplate(source)
  if (source.length > MAX_CACHED_LENGTH) return template
  const [oldest] = cache.keys()
  if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest)
  cache.set(source, template)
  return template
}
