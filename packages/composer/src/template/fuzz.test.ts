import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { render } from './evaluate.js'
import { tokenize } from './lexer.js'
import { MAX_STEPS, Work } from './limits.js'
import { parseTokens } from './parse.js'
import { isTemplateError, TemplateExecutionError } from './template-errors.js'
import { parseTemplate, renderTemplate } from './template.js'

const json = fc.jsonValue({ maxDepth: 4 })
const data = fc.record({ params: json, steps: fc.dictionary(fc.constantFrom('a', 'b', 's'), json), a: json, b: json })

const path = fc
  .array(fc.constantFrom('a', 'b', 'x', 'params', 'steps', 's', 'output', 'constructor', '__proto__'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((names) => `.${names.join('.')}`)

const literal = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.string().map((text) => JSON.stringify(text)),
  fc.string().map((text) => `\`${text.replaceAll('`', '')}\``),
  fc.constantFrom('nil', 'true', 'false', "'x'", '0x1F', '"\\u00e9"', '.', '$', '$x', '$.a'),
)

const name = fc.constantFrom(
  ...'json fromJson quote and or not eq ne lt le gt ge len index slice print printf println html js urlquery call nope'.split(
    ' ',
  ),
)

const format = fc
  .array(
    fc.tuple(fc.constantFrom('', '-', '+', '0', '5', '08.3', '.2', '-9', ' '), fc.constantFrom(...'vsdqxXobcefgtzT%')),
  )
  .map((directives) => `printf "${directives.map((directive) => `%${directive.join('')}`).join(' ')}"`)

/** Templates that follow the grammar, some with a part missing or put in twice. */
const nearlyTemplates: fc.Arbitrary<string> = fc
  .letrec<{ operand: string; pipeline: string; statement: string; list: string }>((tie) => ({
    operand: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'operand' },
      path,
      literal,
      tie('pipeline').map((pipeline) => `(${pipeline})`),
      fc.tuple(tie('pipeline'), path).map(([pipeline, fields]) => `(${pipeline})${fields}`),
    ),
    pipeline: fc
      .array(
        fc.oneof(
          tie('operand'),
          fc
            .tuple(fc.oneof(name, name, format), fc.array(tie('operand'), { maxLength: 3 }))
            .map(([called, args]) => [called, ...args].join(' ')),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((commands) => commands.join(' | ')),
    statement: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'statement' },
      fc.string(),
      tie('pipeline').map((pipeline) => `{{${pipeline}}}`),
      tie('pipeline').map((pipeline) => `{{- $x := ${pipeline} -}}`),
      fc.constantFrom('{{break}}', '{{continue}}', '{{/* c */}}', '{{template "t" .}}', '{{$x = 1}}', '{{end}}'),
      fc
        .tuple(
          fc.constantFrom('if ', 'with ', 'range ', 'range $x := ', 'range $i, $x := ', 'block "t" '),
          tie('pipeline'),
          tie('list'),
          tie('list'),
        )
        .map(([keyword, pipeline, body, otherwise]) => `{{${keyword}${pipeline}}}${body}{{else}}${otherwise}{{end}}`),
      fc.tuple(tie('pipeline'), tie('list')).map(([pipeline, body]) => `{{range ${pipeline}}}${body}{{end}}`),
      tie('list').map((body) => `{{define "t"}}${body}{{end}}`),
    ),
    list: fc.array(tie('statement'), { maxLength: 4 }).map((statements) => statements.join('')),
  }))
  .list.chain((source) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(source) },
      { weight: 1, arbitrary: fc.nat(source.length).map((at) => source.slice(0, at) + source.slice(at + 1)) },
      { weight: 1, arbitrary: fc.nat(source.length).map((at) => source.slice(0, at)) },
    ),
  )

describe('any template on any data', { timeout: 60_000 }, () => {
  it.each([
    ['text', fc.string({ unit: 'binary' })],
    [
      'text with delimiters',
      fc
        .array(fc.oneof(fc.constantFrom('{{', '}}', '{{-', '-}}', '/*', '"', '`'), fc.string()))
        .map((parts) => parts.join('')),
    ],
    ['nearly valid templates', nearlyTemplates],
  ])('of %s: fails with an error of its own, within its budget', (_, sources) => {
    fc.assert(
      fc.property(sources, data, (source, given) => {
        const work = new Work()
        try {
          render(parseTokens(tokenize(source)), given, work)
        } catch (error) {
          if (!isTemplateError(error)) throw error
          expect(error.line).toBeGreaterThan(0)
          expect(error.column).toBeGreaterThan(0)
        }
        expect(work.steps).toBeLessThanOrEqual(MAX_STEPS)
      }),
      { numRuns: 2000 },
    )
  })

  it('reads nothing that is inherited', () => {
    const names = ['a', 'b', 'x', 'params', 'steps', 'secret', 's', 'output', 'iterations', 'count', 'toJSON']
    let read: string | undefined
    const poison = (name: string) => ({ get: () => (read = name), set: () => undefined, configurable: true })
    const results: unknown[] = []
    const samples = fc.sample(fc.tuple(nearlyTemplates, json), 1000)
    for (const name of names) Object.defineProperty(Object.prototype, name, poison(name))
    try {
      for (const [source, params] of samples) results.push(outcomeOf(source, { __proto__: null, params }))
    } finally {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name)
    }
    expect(read).toBeUndefined()
    expect(results).toHaveLength(1000)
  })

  it('leaves the data as it was', () => {
    fc.assert(
      fc.property(nearlyTemplates, data, (source, given) => {
        const before = JSON.stringify(given)
        outcomeOf(source, given)
        expect(JSON.stringify(given)).toBe(before)
      }),
    )
  })

  it('gives the same text each time', () => {
    fc.assert(
      fc.property(nearlyTemplates, data, (source, given) => {
        expect(outcomeOf(source, given)).toEqual(outcomeOf(source, given))
      }),
    )
  })
})

function outcomeOf(source: string, given: object): unknown {
  try {
    return renderTemplate(parseTemplate(source), given as Record<string, unknown>)
  } catch (error) {
    if (!isTemplateError(error)) throw error
    return error instanceof TemplateExecutionError ? error.message : 'syntax'
  }
}
