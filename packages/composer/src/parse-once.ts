import { parseTemplate } from './template/template.js'
import type { Template } from './template/template.js'

const parsed = new WeakMap<object, Map<string, Template>>()

/** The parsed template, kept for as long as the part of a workflow that it belongs to. Throws `TemplateSyntaxError`. */
export function parseOnce(owner: object, source: string): Template {
  const templates = parsed.get(owner) ?? new Map<string, Template>()
  parsed.set(owner, templates)
  const known = templates.get(source)
  if (known !== undefined) return known
  const template = parseTemplate(source)
  templates.set(source, template)
  return template
}
