import { describe, expect, it } from 'vitest'
import { expandValue } from './expand.js'
import { TemplateExecutionError, TemplateSyntaxError } from './template-errors.js'

describe('expandValue', () => {
  it('CORE-T02 expands strings at every level and nothing else', () => {
    const value = {
      cfg: { repo: '{{.params.repo}}' },
      files: ['{{.params.f1}}', '{{.params.f2}}'],
      num: 42,
      flag: true,
      none: null,
      '{{.params.repo}}': 'key',
    }
    const data = { params: { repo: 'myrepo', f1: 'a.go', f2: 'b.go' } }
    expect(expandValue(value, data)).toEqual({
      cfg: { repo: 'myrepo' },
      files: ['a.go', 'b.go'],
      num: 42,
      flag: true,
      none: null,
      '{{.params.repo}}': 'key',
    })
  })

  it('keeps the type of an argument that is exactly one expression (a deviation: arguments became strings)', () => {
    const data = { params: { n: 123, off: false, list: ['a'], nothing: null } }
    const value = {
      n: '{{.params.n}}',
      off: '{{.params.off}}',
      list: '{{.params.list}}',
      nothing: '{{.params.nothing}}',
    }
    expect(expandValue(value, data)).toEqual({ n: 123, off: false, list: ['a'], nothing: null })
    expect(expandValue('{{.params.n}}!', data)).toBe('123!')
  })

  it('CORE-T05 gives <no value> for an argument that is missing', () => {
    expect(expandValue({ a: '{{.params.nonexistent}}' }, { params: {} })).toEqual({ a: '<no value>' })
  })

  it('does not expand what an expansion gives', () => {
    expect(expandValue('{{.params.a}}', { params: { a: '{{.params.b}}', b: 'x' } })).toBe('{{.params.b}}')
  })

  it('names the way to what failed', () => {
    const data = { params: { s: 'secret' } }
    const fail = () => expandValue({ a: [{ b: 'ok', c: '{{.params.s.x}}' }] }, data)
    expect(fail).toThrow(TemplateExecutionError)
    expect(fail).toThrow(
      'failed to expand value for key "a": failed to expand array element 0: failed to expand nested key "c": ' +
        "failed to execute template: line 1, column 3: can't evaluate field x in type string",
    )
    expect(() => expandValue({ a: 'x {{' }, data)).toThrow(TemplateSyntaxError)
  })

  it('CORE-T15 refuses a value that nests more than 100 deep', () => {
    const nest = (depth: number): unknown => (depth === 0 ? 'leaf' : { n: nest(depth - 1) })
    expect(() => expandValue(nest(150), {})).toThrow('template expansion depth limit exceeded: 100')
    expect(() => expandValue(nest(150), {})).toThrow(TemplateExecutionError)
    expect(expandValue(nest(100), {})).toEqual(nest(100))
  })

  it('CORE-T16 refuses an output over 10 MiB, as text and as a typed value', () => {
    const data = { params: { big: 'x'.repeat(11 * 1024 * 1024) } }
    const message = 'template output too large: 11534336 bytes (max 10485760)'
    expect(() => expandValue('{{.params.big}}', data)).toThrow(message)
    expect(() => expandValue({ a: '{{.params.big}}{{.params.big}}' }, data)).toThrow(message)
  })

  it('keeps a key named __proto__ a key', () => {
    const expanded = expandValue(JSON.parse('{"__proto__": {"polluted": "{{.params.a}}"}}'), { params: { a: 'x' } })
    expect(Object.getPrototypeOf(expanded)).toBe(Object.prototype)
    expect(JSON.stringify(expanded)).toBe('{"__proto__":{"polluted":"x"}}')
  })

  it('gives the same for a template that is used again, and for more templates than it remembers', () => {
    for (let n = 0; n < 1100; n++) expect(expandValue(`${n % 550} {{.n}}`, { n })).toBe(`${n % 550} ${n}`)
  })
})
