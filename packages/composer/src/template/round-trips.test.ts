import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandValue } from './expand.js'
import { plainDecimal } from './print.js'
import { evaluateTemplate, parseTemplate, renderTemplate } from './template.js'

const json = fc.jsonValue({ maxDepth: 4 })

describe('templates and back', { timeout: 60_000 }, () => {
  it('text without {{ renders to itself', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('{{'))
    fc.assert(
      fc.property(plain, (text) => {
        expect(renderTemplate(parseTemplate(text), {})).toBe(text)
      }),
    )
  })

  it('{{json .x}} parses back to x', () => {
    fc.assert(
      fc.property(json, (x) => {
        expect(JSON.parse(renderTemplate(parseTemplate('{{json .x}}'), { x }))).toEqual(x)
        expect(evaluateTemplate(parseTemplate('{{fromJson (json .x)}}'), { x })).toEqual(x)
      }),
    )
  })

  it('a single expression is the value itself', () => {
    fc.assert(
      fc.property(json, (x) => {
        expect(expandValue(['{{.x}}'], { x })).toEqual([x])
      }),
    )
  })

  it('a printed number reads back the same and has no exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainDecimal(value)
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(text)).toBe(value)
      }),
    )
  })

  it('a quoted string literal is that string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const literal = renderTemplate(parseTemplate('{{quote .text}}'), { text })
        expect(renderTemplate(parseTemplate(`{{${literal}}}`), {})).toBe(text)
      }),
    )
  })

  it('values without templates expand to themselves', () => {
    fc.assert(
      fc.property(json, (x) => {
        fc.pre(!JSON.stringify(x).includes('{{'))
        expect(expandValue(x, {})).toEqual(x)
      }),
    )
  })
})
