import { describe, expect, it } from 'vitest'
import { TemplateExecutionError, TemplateSyntaxError } from './template-errors.js'
import { evaluateTemplate, parseTemplate, renderTemplate } from './template.js'
import type { TemplateData } from './template.js'

const render = (source: string, data: TemplateData = {}): string => renderTemplate(parseTemplate(source), data)
const evaluate = (source: string, data: TemplateData = {}): unknown => evaluateTemplate(parseTemplate(source), data)
const fetched = (text: string): TemplateData => ({ steps: { fetch: { status: 'completed', output: { text } } } })

describe('renderTemplate', () => {
  it('CORE-T01 puts a parameter into text', () => {
    expect(render('Issue: {{.params.title}}', { params: { title: 'Test' } })).toBe('Issue: Test')
  })

  it('CORE-T03 writes a value as JSON inside text', () => {
    const data = { params: { obj: { key: 'value' } } }
    expect(render('{"data": {{json .params.obj}}}', data)).toBe('{"data": {"key":"value"}}')
  })

  it('CORE-T05 renders a missing key as <no value>, also further down', () => {
    expect(render('{{.params.nonexistent}}', { params: {} })).toBe('<no value>')
    expect(render('{{.params.nonexistent.deeper}}', { params: {} })).toBe('<no value>')
  })

  it('CORE-T06 reads the content of a step beside its output', () => {
    const fetch = { output: { text: 'structured text' }, content: { text: 'content array text' } }
    expect(render('{{.steps.fetch.content.text}}', { steps: { fetch } })).toBe('content array text')
  })

  it('CORE-T07 renders what a condition is judged by', () => {
    const data = { params: { yes: true } }
    const conditions = ['true', 'false', 'True', 'not_boolean', '{{.params.yes}}']
    expect(conditions.map((condition) => render(condition, data))).toEqual([
      'true',
      'false',
      'True',
      'not_boolean',
      'true',
    ])
    expect(() => render('{{.params.missing')).toThrow(TemplateSyntaxError)
  })

  it('CORE-T08 compares the status of a step', () => {
    const source = '{{if eq .steps.s1.status "completed"}}true{{else}}false{{end}}'
    expect(render(source, { steps: { s1: { status: 'completed' } } })).toBe('true')
  })

  it('CORE-T09 reads facts of the workflow', () => {
    const workflow = {
      id: 'wf-123',
      duration_ms: 2500,
      step_count: 5,
      status: 'completed',
      start_time: '2024-01-01T12:00:00Z',
    }
    const texts = ['id', 'duration_ms', 'step_count', 'status', 'start_time'].map((name) =>
      render(`{{.workflow.${name}}}`, { workflow }),
    )
    expect(texts).toEqual(['wf-123', '2500', '5', 'completed', '2024-01-01T12:00:00Z'])
    expect(render('{{.workflow.id}}')).toBe('<no value>')
  })

  it('CORE-T10 takes a field of parsed JSON', () => {
    const data = fetched('{"name": "Alice", "email": "alice@example.com"}')
    expect(render('{{(fromJson .steps.fetch.output.text).name}}', data)).toBe('Alice')
  })

  it('CORE-T11 takes a nested field of parsed JSON', () => {
    const data = fetched('{"user": {"email": "bob@example.com"}}')
    expect(render('{{(fromJson .steps.fetch.output.text).user.email}}', data)).toBe('bob@example.com')
  })

  it('CORE-T12 indexes parsed JSON', () => {
    const data = fetched('["apple", "banana", "cherry"]')
    expect(render('{{index (fromJson .steps.fetch.output.text) 0}}', data)).toBe('apple')
  })

  it('CORE-T13 writes parsed JSON back', () => {
    expect(render('{{json (fromJson .steps.fetch.output.text)}}', fetched('{"key": "value"}'))).toBe('{"key":"value"}')
  })

  it('CORE-T14 fails on a text that is no JSON, and does not quote it', () => {
    const fail = () => render('{{fromJson .steps.fetch.output.text}}', fetched('not valid json'))
    expect(fail).toThrow('failed to execute template: line 1, column 3: error calling fromJson: invalid JSON')
  })

  it.each([
    ['{{exec "rm -rf /"}}', TemplateSyntaxError],
    ['{{system "whoami"}}', TemplateSyntaxError],
    ['{{eval "code"}}', TemplateSyntaxError],
    ['{{import "os"}}', TemplateSyntaxError],
    ['{{.Execute "danger"}}', TemplateExecutionError],
  ])('CORE-T17 refuses %s', (source, error) => {
    expect(() => render(source)).toThrow(error)
  })

  it('prints numbers as plain decimals, where Go writes 1e+06 from a million on (a deviation from Q8)', () => {
    const data = { steps: { s: { output: { numbers: [1e6, 1234567, 1e21, 1.5e-7, 0.1, -2e22] } } } }
    expect(render('{{.steps.s.output.numbers}}', data)).toBe(
      '[1000000 1234567 1000000000000000000000 0.00000015 0.1 -20000000000000000000000]',
    )
    expect(render('{{printf "%v %g %d" 2000000.0 1e7 1000000.0}}')).toBe('2000000 10000000 1000000')
  })

  it('addresses a step whose id has a dash with index', () => {
    const data = { steps: { 'my-id': { output: { a: 1 } } } }
    expect(render('{{(index .steps "my-id").output.a}}', data)).toBe('1')
    expect(() => parseTemplate('{{.steps.my-id}}')).toThrow('bad character "-"')
  })

  it('says where an execution failed', () => {
    const fail = () => render('line one\n  {{json .a}} {{index .list 7}}', { list: [1] })
    expect(fail).toThrow(expect.objectContaining({ _tag: 'TemplateExecutionError', line: 2, column: 17 }))
    expect(fail).toThrow('error calling index: index out of range: 7')
  })

  it('refuses to call a value of the data', () => {
    expect(() => render('{{call .params.f}}', { params: { f: 'x' } })).toThrow('is not a function')
  })
})

describe('parseTemplate', () => {
  it('CORE-T04 refuses an action that is not closed, and says where', () => {
    const parse = () => parseTemplate('a\nb {{.params.missing')
    expect(parse).toThrow(expect.objectContaining({ _tag: 'TemplateSyntaxError', line: 2, column: 20 }))
    expect(parse).toThrow('failed to parse template: line 2, column 20: unclosed action')
  })

  it('names an unknown function', () => {
    expect(() => parseTemplate('{{exec "x"}}')).toThrow('function "exec" not defined')
  })

  it('refuses an undeclared variable', () => {
    expect(() => parseTemplate('{{$x}}')).toThrow('undefined variable "$x"')
  })
})

describe('Template.references', () => {
  const references = (source: string): string[] => parseTemplate(source).references.map((path) => path.join('.'))

  it('lists each chain once, in order, from everywhere in the template', () => {
    expect(
      references(
        '{{if eq .params.a "x"}}{{json .steps.s.output}}{{else}}{{.params.b | quote}}{{end}}{{$.params.a}}{{(.steps.t).status}}',
      ),
    ).toEqual(['params.a', 'steps.s.output', 'params.b', 'steps.t', 'steps.t.status'])
  })

  it('follows literal keys of index, the dot of with, and named templates', () => {
    expect(references('{{index .steps "my-id" "output"}}')).toEqual(['steps.my-id.output'])
    expect(references('{{with .steps.s.output}}{{.text}}{{else}}{{.params.x}}{{end}}')).toEqual([
      'steps.s.output',
      'steps.s.output.text',
      'params.x',
    ])
    expect(references('{{define "t"}}{{.a}}{{template "t" .}}{{end}}{{template "t" .params}}')).toEqual([
      'params',
      'params.a',
    ])
  })

  it('leaves out what is known only when it runs', () => {
    expect(references('{{range .params.list}}{{.name}}{{end}}{{index .params .params.key}}')).toEqual([
      'params.list',
      'params',
      'params.key',
    ])
  })

  it('keeps those written as one chain of fields apart', () => {
    const source = '{{.steps.a.output.x}}{{$.steps.b.output.y}}{{index .steps "c"}}{{with .steps.d}}{{.status}}{{end}}'
    expect(parseTemplate(source).fields.map((path) => path.join('.'))).toEqual(['steps.a.output.x', 'steps', 'steps.d'])
  })
})

describe('evaluateTemplate', () => {
  const data = { params: { n: 123, on: false, list: [1, { a: null }], nothing: null, text: '5' } }

  it('gives a single expression its own type', () => {
    expect(evaluate('{{.params.n}}', data)).toBe(123)
    expect(evaluate('{{ .params.on }}', data)).toBe(false)
    expect(evaluate('{{- .params.list -}}', data)).toEqual([1, { a: null }])
    expect(evaluate('{{.params.nothing}}', data)).toBeNull()
    expect(evaluate('{{.params.text}}', data)).toBe('5')
    expect(evaluate('{{len .params.list}}', data)).toBe(2)
    expect(evaluate('{{fromJson "[1,2]"}}', data)).toEqual([1, 2])
  })

  it('gives text where a function makes text', () => {
    expect(evaluate('{{json .params.n}}', data)).toBe('123')
  })

  it('gives undefined for a missing value', () => {
    expect(evaluate('{{.params.other}}', data)).toBeUndefined()
  })

  it.each([
    '{{.params.n}} ',
    ' {{- .params.n}}',
    '{{.params.n}}{{.params.n}}',
    '{{if true}}{{.params.n}}{{end}}',
    'x',
    '',
  ])('renders %j to text: it is more than one expression, or none', (source) => {
    expect(parseTemplate(source).isSingleExpression).toBe(false)
    expect(evaluate(source, data)).toBe(render(source, data))
  })
})
