import { describe, expect, it } from 'vitest'
import { render } from './evaluate.js'
import { tokenize } from './lexer.js'
import { MAX_STEPS, Work } from './limits.js'
import { parseTokens } from './parse.js'
import { TemplateExecutionError, TemplateSyntaxError } from './template-errors.js'
import { parseTemplate, renderTemplate } from './template.js'

function stepsOf(source: string, data: object): number {
  const work = new Work()
  expect(() => render(parseTokens(tokenize(source)), data, work)).toThrow(TemplateExecutionError)
  return work.steps
}

describe('the limits of a template', { timeout: 60_000 }, () => {
  const list = Array.from({ length: 2000 }, (_, index) => index)
  const wide = Object.fromEntries(list.map((index) => [`key${index}`, index]))

  it.each([
    ['loops in loops', '{{range .list}}{{range $.list}}{{$.x}}{{end}}{{end}}'],
    ['a loop over a number', '{{range 1000000000}}{{end}}'],
    ['a text that doubles', '{{$x := "0123456789abcdef"}}{{range 100}}{{$x = print $x $x}}{{end}}'],
    ['functions over a long text', '{{range 1000000}}{{if eq $.text "a"}}{{end}}{{end}}'],
    ['JSON of much', '{{range 1000000}}{{if eq (json $.wide) ""}}{{end}}{{end}}'],
    ['slices of much', '{{range 10000000}}{{$y := slice $.list 1}}{{end}}'],
    [
      'templates that call each other twice',
      '{{define "t"}}{{template "t" .}}{{template "t" .}}{{end}}{{template "t"}}',
    ],
    ['a wide format', '{{range 1000000}}{{$x := printf "%999999s" "a"}}{{end}}'],
  ])('stop %s within the budget', (_, source) => {
    expect(stepsOf(source, { list, wide, text: 'b'.repeat(100_000) })).toBeLessThanOrEqual(MAX_STEPS)
  })

  it('stop a template that calls itself', () => {
    const fail = () => renderTemplate(parseTemplate('{{define "t"}}{{template "t" .}}{{end}}{{template "t"}}'), {})
    expect(fail).toThrow('nests too deep while running')
  })

  it('stop output that grows while it is written', () => {
    const source = '{{range .list}}{{$.text}}{{end}}'
    const fail = () => renderTemplate(parseTemplate(source), { list, text: 'ž'.repeat(10_000) })
    expect(fail).toThrow('template output too large: 10500000 bytes (max 10485760)')
  })

  it.each([
    ['parentheses', `{{${'('.repeat(1e5)}`],
    ['balanced parentheses', `{{${'('.repeat(5000)}.x${')'.repeat(5000)}}}`],
    ['blocks', '{{if .x}}'.repeat(5000)],
    ['else if', `{{if .x}}${'{{else if .x}}'.repeat(5000)}{{end}}`],
    ['definitions in blocks', '{{block "a" .}}'.repeat(5000)],
    ['a source that is too long', '{{.x}}' + 'x'.repeat(1_048_576)],
    ['too many parts', '{{.x}}'.repeat(100_000)],
    ['an open action of 100 000 characters', `{{ ${'a '.repeat(5e4)}`],
    ['an open string of 100 000 characters', `{{"${'\\a'.repeat(5e4)}`],
  ])('refuse to parse %s', (_, source) => {
    expect(() => parseTemplate(source)).toThrow(TemplateSyntaxError)
  })

  it('refuse a value that nests too deep to be written', () => {
    const data = { text: '['.repeat(20_000) + ']'.repeat(20_000) }
    for (const source of ['{{fromJson .text}}', '{{json (fromJson .text)}}', '{{printf "%v" (fromJson .text)}}']) {
      expect(() => renderTemplate(parseTemplate(source), data)).toThrow('value nests too deep (max 1000)')
    }
  })

  it('refuse data that contains itself', () => {
    const data: Record<string, unknown> = {}
    data['self'] = data
    expect(() => renderTemplate(parseTemplate('{{.self}}'), data)).toThrow(TemplateExecutionError)
    expect(() => renderTemplate(parseTemplate('{{json .}}'), data)).toThrow(TemplateExecutionError)
  })
})
