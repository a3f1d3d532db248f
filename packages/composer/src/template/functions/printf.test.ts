import { describe, expect, it } from 'vitest'
import { parseTemplate, renderTemplate } from '../template.js'

const data = { steps: { s: { output: { n: 42, half: 1.5, list: ['a', null, 2.5] } } } }
const render = (expression: string): string => renderTemplate(parseTemplate(`{{${expression}}}`), data)

describe('printf', () => {
  it.each([
    ['printf "%d %f" .steps.s.output.n 3', '42 3.000000'],
    ['printf "%d" .steps.s.output.half', '%!d(float64=1.5)'],
    ['printf "%.3d|%8.3d|%-8.3d|%08.3d" 7 7 7 7', '007|     007|007     |     007'],
    ['printf "%+v %+d" 5 5', '5 +5'],
    ['printf "%08s|%-5s|%5s" "ab" "ab" "ab"', '000000ab|ab   |   ab'],
    ['printf "%q" .steps.s.output.list', '["a" <nil> %!q(float64=2.5)]'],
    ['printf "%5v" .steps.s.output.list', '[    a <nil>   2.5]'],
    ['printf "%T" 1', '%!T(int=1)'],
    ['printf "%.1f" 1e22', '10000000000000000000000.0'],
  ])('%s gives %j', (expression, text) => {
    expect(render(expression)).toBe(text)
  })

  it.each([
    ['printf "%#v" 1', 'the flag # is not supported'],
    ['printf "%*d" 1 2', 'printf: %* is not supported'],
    ['printf "%[1]d" 1', 'printf: %[ is not supported'],
    ['printf "%9999999d" 1', 'width or precision is over 1000000'],
    ['printf "%.200f" 1.5', 'a number has a precision of at most 100'],
  ])('%s is refused', (expression, message) => {
    expect(() => render(expression)).toThrow(message)
  })
})
