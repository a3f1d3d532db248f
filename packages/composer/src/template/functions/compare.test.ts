import { describe, expect, it } from 'vitest'
import { parseTemplate, renderTemplate } from '../template.js'

const data = {
  params: { n: 10, rate: 2.5 },
  workflow: { step_count: 3 },
  forEach: { index: 0, item: { size: 4 } },
  steps: {
    get: { status: 'completed', output: { count: 42, score: 95.5 }, content: { text: '{"n":7}' } },
    loop: { output: { iterations: [], count: 2, completed: 1, failed: 1 } },
  },
}

const render = (expression: string): string => renderTemplate(parseTemplate(`{{${expression}}}`), data)

describe('comparison', () => {
  it('CORE-W29 does not compare a number of a backend with an integer literal', () => {
    const message = 'incompatible types for comparison'
    expect(() => render('if ge .steps.get.output.count 10}}high{{else}}low{{end')).toThrow(message)
    expect(() => render('eq .steps.get.output.count 42')).toThrow(message)
    expect(() => render('lt (fromJson .steps.get.content.text).n 10')).toThrow(message)
    expect(() => render('range fromJson "[1]"}}{{eq . 1}}{{end')).toThrow(message)
    expect(() => render('with $x := .steps.get.output}}{{eq $x.count (len "abc")}}{{end')).toThrow(message)
  })

  it('CORE-W26 compares a number of a backend with a float literal', () => {
    expect(render('gt .steps.get.output.score 90.0')).toBe('true')
    expect(render('ge .steps.get.output.count 10.0')).toBe('true')
    expect(render('eq .steps.get.output.count 42.0')).toBe('true')
  })

  it.each([
    'eq .params.n 10',
    'eq .params.n 10.0',
    'gt .params.rate 2',
    'eq .workflow.step_count 3',
    'eq .forEach.index 0',
    'lt .forEach.item.size 5',
    'gt .steps.loop.output.failed 0',
    'eq .steps.get.output.count 42.0',
    'lt .params.n .steps.get.output.count',
    'eq (len .params) 2',
  ])('compares %s: a number that is not a backend’s is integer and float at once', (expression) => {
    expect(render(expression)).toBe('true')
  })

  it('orders texts by their UTF-8 bytes', () => {
    expect(render('lt "\\uffff" "😀"')).toBe('true')
  })
})
