import { describe, expect, it } from 'vitest'
import { rememberLast } from './remember-last.js'

describe('rememberLast', () => {
  it('judges a text again only after another one', () => {
    const judged: string[] = []
    const length = rememberLast((text) => judged.push(text) && text.length)

    expect(['a', 'a', 'bb', 'bb', 'a'].map(length)).toEqual([1, 1, 2, 2, 1])
    expect(judged).toEqual(['a', 'bb', 'a'])
  })

  it('remembers no verdict that failed', () => {
    const parse = rememberLast((text): unknown => JSON.parse(text))

    expect(parse('1')).toBe(1)
    expect(() => parse('{')).toThrow(SyntaxError)
    expect(() => parse('{')).toThrow(SyntaxError)
    expect(parse('1')).toBe(1)
  })
})
