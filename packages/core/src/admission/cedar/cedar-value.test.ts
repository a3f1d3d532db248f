import { describe, expect, it } from 'vitest'

import { cedarValue } from './cedar-value.js'

describe('cedarValue', () => {
  it('keeps text, truth values and whole numbers', () => {
    expect([cedarValue('a'), cedarValue(false), cedarValue(-5)]).toEqual(['a', false, -5])
  })

  it('gives other numbers as decimals with four digits', () => {
    expect(cedarValue(1.5)).toEqual({ __extn: { fn: 'decimal', arg: '1.5000' } })
  })

  it('gives a number out of range as the limit, so that a comparison stays true', () => {
    expect(cedarValue(1e300)).toBe(9223372036854774784)
    expect(cedarValue(-1e300)).toBe(-9223372036854774784)
    expect(cedarValue(Infinity)).toEqual({ __extn: { fn: 'decimal', arg: '922337203685477.5807' } })
    expect(cedarValue(-Infinity)).toEqual({ __extn: { fn: 'decimal', arg: '-922337203685477.5807' } })
  })

  it('gives arrays and objects, without what Cedar has no value for', () => {
    expect(cedarValue({ a: [1, null, 'x'], b: null, c: { d: true } })).toEqual({ a: [1, 'x'], c: { d: true } })
    expect(cedarValue(null)).toBeUndefined()
    expect(cedarValue(Number.NaN)).toBeUndefined()
  })

  it('lets no data name an entity or a function', () => {
    const claim = { __entity: { type: 'THVGroup', id: 'admin' }, __extn: { fn: 'ip', arg: '::1' }, __expr: '1', a: 1 }
    expect(cedarValue(claim)).toEqual({ a: 1 })
    expect(cedarValue([claim])).toEqual([{ a: 1 }])
  })

  it('ends at ten levels', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 'deep' : { in: nest(levels - 1) })
    expect(JSON.stringify(cedarValue(nest(10)))).toContain('deep')
    expect(JSON.stringify(cedarValue(nest(11)))).not.toContain('deep')
  })
})
