import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TemplateExecutionError, TemplateSyntaxError } from './template-errors.js'
import { parseTemplate, renderTemplate } from './template.js'

/** Recorded from Go's text/template with the functions json, quote and fromJson. */
interface Corpus {
  readonly data: Readonly<Record<string, unknown>>
  readonly cases: readonly { readonly template: string; readonly text?: string; readonly fails?: string }[]
}

const corpus = JSON.parse(readFileSync(new URL('go-corpus.json', import.meta.url), 'utf8')) as Corpus

describe('renderTemplate, against what Go gave', () => {
  it.each(corpus.cases.filter(({ text }) => text !== undefined))('renders $template', ({ template, text }) => {
    expect(renderTemplate(parseTemplate(template), corpus.data)).toBe(text)
  })

  it.each(corpus.cases.filter(({ fails }) => fails === 'to parse'))('refuses to parse $template', ({ template }) => {
    expect(() => parseTemplate(template)).toThrow(TemplateSyntaxError)
  })

  it.each(corpus.cases.filter(({ fails }) => fails === 'to execute'))('fails to execute $template', ({ template }) => {
    const parsed = parseTemplate(template)
    expect(() => renderTemplate(parsed, corpus.data)).toThrow(TemplateExecutionError)
  })
})
