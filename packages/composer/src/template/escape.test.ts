import { describe, expect, it } from 'vitest'
import { isTemplateError } from './template-errors.js'
import { parseTemplate, renderTemplate } from './template.js'

/** Ways out of a template that have worked somewhere: JavaScript, Go, Jinja, Handlebars, EJS, shells. */
const attempts = [
  `{{constructor.constructor('return process')()}}`,
  `{{constructor.constructor("return process")}}`,
  `{{.constructor.constructor}}`,
  `{{.constructor}}`,
  `{{(.constructor).constructor "return process"}}`,
  `{{call .constructor.constructor "return process"}}`,
  `{{.constructor | call}}`,
  `{{index . "constructor"}}`,
  `{{index (index . "constructor") "constructor"}}`,
  `{{index . "__proto__"}}`,
  `{{.__proto__}}`,
  `{{.__proto__.constructor}}`,
  `{{$.__proto__.polluted}}`,
  `{{.params.__proto__.toString}}`,
  `{{.params.toString}}`,
  `{{.params.valueOf}}`,
  `{{.params.hasOwnProperty "text"}}`,
  `{{.params.__defineGetter__ "x"}}`,
  `{{.params.__lookupGetter__}}`,
  `{{.params.list.constructor}}`,
  `{{.params.list.map}}`,
  `{{.params.list.length}}`,
  `{{index .params.list "constructor"}}`,
  `{{index .params.list "length"}}`,
  `{{index .params.list "__proto__"}}`,
  `{{.params.text.constructor}}`,
  `{{.params.text.length}}`,
  `{{index .params.text "constructor"}}`,
  `{{(json .).constructor}}`,
  `{{(fromJson "{}").constructor}}`,
  `{{(fromJson "{\\"__proto__\\":{\\"x\\":1}}").x}}`,
  `{{(fromJson "[]").constructor}}`,
  `{{json.constructor}}`,
  `{{print.call}}`,
  `{{process}}`,
  `{{.process}}`,
  `{{require "child_process"}}`,
  `{{.require}}`,
  `{{globalThis}}`,
  `{{.globalThis.process.env}}`,
  `{{this.constructor}}`,
  `{{eval "process.exit()"}}`,
  `{{Function "return process"}}`,
  `{{new Proxy({}, {})}}`,
  `{{get x() { return process }}}`,
  '{{String.raw`${process}`}}',
  '{{`${process}`}}',
  `{{range $k, $v := .constructor}}{{$k}}{{end}}`,
  `{{with .constructor}}{{.name}}{{end}}`,
  `{{define "constructor"}}{{end}}{{template "toString"}}`,
  `{{template "__proto__"}}`,
  `{{$constructor := .constructor}}{{$constructor.name}}`,
  `{{printf "%s" .constructor}}`,
  `{{html .constructor}}{{js .__proto__}}`,
  `{{self.__init__.__globals__}}`,
  `{{''.__class__.__mro__}}`,
  `{{#with "s" as |string|}}{{/with}}`,
  `{{lookup . "constructor"}}`,
  `<%= process.env %>{{.params.missing}}`,
  '${process.env.HOME}{{.params.missing}}',
  `{{import "os"}}`,
  `{{.Env.HOME}}`,
  `{{env "HOME"}}`,
  `{{readFile "/etc/passwd"}}`,
  `{{.params.getter}}`,
  `{{json .params}}`,
  `{{.params.method}}`,
  `{{call .params.method}}`,
]

describe('templates', () => {
  it.each(attempts)('H7 gain nothing from %s', (source) => {
    let reached = false
    const params = {
      text: 'abc',
      list: [1],
      get getter() {
        reached = true
        return 'function escaped'
      },
      method: () => {
        reached = true
      },
    }
    expect(outcomeOf(source, { params })).not.toMatch(/native code|function|\[object|Object|Array|HOME=|root:/)
    expect(reached).toBe(false)
  })

  it('H7 see an inherited name as missing', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length', 'prototype']
    for (const name of names) expect(outcomeOf(`{{.params.${name}}}`, { params: {} })).toBe('<no value>')
  })

  it('H7 read a key of the data whatever its name', () => {
    const data = JSON.parse('{"params": {"__proto__": "own", "constructor": "own too"}}') as object
    expect(outcomeOf('{{.params.__proto__}}, {{.params.constructor}}', data)).toBe('own, own too')
  })
})

/** The text without the template's own words, or nothing where it is refused. */
function outcomeOf(source: string, data: object): string {
  try {
    return renderTemplate(parseTemplate(source), { ...data })
  } catch (error) {
    expect(isTemplateError(error)).toBe(true)
    return ''
  }
}
