import type { Pipeline, TemplateTree } from './ast.js'
import { evaluate, render } from './evaluate.js'
import { tokenize } from './lexer.js'
import type { Token } from './lexer.js'
import { parseTokens } from './parse.js'
import { referencesOf } from './references.js'

/** What a template can read: its roots, such as `params`, `steps`, `vars`, `workflow` and `forEach`. */
export interface TemplateData {
  readonly [root: string]: unknown
}

/** A parsed template. It is immutable and may be used any number of times, concurrently. */
export interface Template {
  /** The text it was parsed from. */
  readonly source: string
  /** The field paths it reads, such as `['steps', 'fetch', 'output', 'text']`: every chain known without running it. */
  readonly references: readonly (readonly string[])[]
  /** The chains from the root that stand in the source, `.steps.fetch.output`, without what `$`, `index` and `with` add. */
  readonly fields: readonly (readonly string[])[]
  /** True when the text is exactly one `{{ expression }}` and nothing else. */
  readonly isSingleExpression: boolean
}

/** Parses a template, or throws a `TemplateSyntaxError` that says where it is wrong. */
export function parseTemplate(source: string): Template {
  const tokens = tokenize(source)
  const tree = parseTokens(tokens)
  const expression = singleExpression(source, tokens, tree)
  const { all: references, fields } = referencesOf(tree)
  const template: Template = { source, references, fields, isSingleExpression: expression !== undefined }
  parsed.set(template, { tree, expression })
  return template
}

/** Renders a template to text: `<no value>` stands for what is missing. Throws a `TemplateExecutionError`. */
export function renderTemplate(template: Template, data: TemplateData): string {
  return render(parsedOf(template).tree, data)
}

/** A single expression gives its value with its type, and undefined when it is missing; any other template its text. */
export function evaluateTemplate(template: Template, data: TemplateData): unknown {
  const { tree, expression } = parsedOf(template)
  return expression === undefined ? render(tree, data) : evaluate(tree, expression, data)
}

/** What a template consists of. Kept beside it, so that its public shape does not show the tree. */
interface Parsed {
  readonly tree: TemplateTree
  readonly expression: Pipeline | undefined
}

const parsed = new WeakMap<Template, Parsed>()

function parsedOf(template: Template): Parsed {
  const known = parsed.get(template)
  if (known !== undefined) return known
  return parsedOf(parseTemplate(template.source))
}

function singleExpression(source: string, tokens: readonly Token[], { body }: TemplateTree): Pipeline | undefined {
  const [statement] = body
  if (body.length !== 1 || statement?.kind !== 'action' || statement.pipeline.variables.length > 0) return undefined
  const isWhole = tokens[0]?.start === 0 && tokens.at(-2)?.end === source.length
  return isWhole && tokens.filter(({ kind }) => kind === 'open').length === 1 ? statement.pipeline : undefined
}
