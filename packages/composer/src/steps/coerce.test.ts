import { describe, expect, it } from 'vitest'
import { coerce, readBoolean, readInteger, readNumber } from './coerce.js'

describe('coerce', () => {
  it('CORE-W11 reads an integer from the text of a template', () => {
    const schema = { type: 'object', properties: { limit: { type: 'integer' } } }

    expect(coerce({ limit: '42' }, schema)).toEqual({ limit: 42 })
  })

  it('CORE-W27 reads nested properties and the items of arrays', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        count: { type: 'integer' },
        ratio: { type: 'number' },
        on: { type: 'boolean' },
        config: { type: 'object', properties: { timeout: { type: 'integer' }, enabled: { type: 'boolean' } } },
        ids: { type: 'array', items: { type: 'integer' } },
      },
    }
    const value = {
      name: 'hello',
      count: '42',
      ratio: '3.14',
      on: 'true',
      config: { timeout: '30', enabled: 'true' },
      ids: ['1', '2', '3'],
    }

    expect(coerce(value, schema)).toEqual({
      name: 'hello',
      count: 42,
      ratio: 3.14,
      on: true,
      config: { timeout: 30, enabled: true },
      ids: [1, 2, 3],
    })
  })

  it('keeps what cannot be read', () => {
    expect(coerce('forty-two', { type: 'integer' })).toBe('forty-two')
    expect(coerce('[1]', { type: 'array' })).toBe('[1]')
    expect(coerce('1', { type: ['integer', 'null'] })).toBe('1')
    expect(coerce('1', undefined)).toBe('1')
  })

  // A single expression keeps its type, so a number can reach a place that wants text.
  it('writes scalars as text where text is wanted', () => {
    expect(coerce(123, { type: 'string' })).toBe('123')
    expect(coerce(true, { type: 'string' })).toBe('true')
    expect(coerce(123, { type: 'integer' })).toBe(123)
  })

  it('does not read properties of the prototype', () => {
    expect(coerce({ toString: '1' }, { properties: {} })).toEqual({ toString: '1' })
  })
})

describe('readInteger', () => {
  it('takes 64-bit integers only', () => {
    expect(readInteger('-7')).toBe(-7)
    expect(readInteger('1.5')).toBeUndefined()
    expect(readInteger('99999999999999999999')).toBeUndefined()
    expect(readInteger('-9007199254740991')).toBe(-9007199254740991)
    // The reference reads 64 bits. JSON numbers here hold 53: an id would silently become another one.
    expect(readInteger('9007199254740993')).toBeUndefined()
  })
})

describe('readNumber', () => {
  it('takes decimals and exponents, and no infinity', () => {
    expect(readNumber('95.5')).toBe(95.5)
    expect(readNumber('1e3')).toBe(1000)
    expect(readNumber('1e999')).toBeUndefined()
    expect(readNumber('')).toBeUndefined()
  })
})

describe('readBoolean', () => {
  it('knows twelve spellings', () => {
    expect(readBoolean('T')).toBe(true)
    expect(readBoolean('0')).toBe(false)
    expect(readBoolean('yes')).toBeUndefined()
  })
})

describe('reading a number from a text', () => {
  it('takes no longer for a text that is nearly one', () => {
    const digits = '1'.repeat(500_000)
    const startedAt = performance.now()

    for (const text of [`${digits}x`, `${digits}.${digits}x`, `.${digits}x`, `1e${digits}x`, `${digits}e`]) {
      expect(readNumber(text)).toBeUndefined()
      expect(readInteger(text)).toBeUndefined()
    }
    expect(readInteger(digits)).toBeUndefined()
    expect(readInteger(`-${'0'.repeat(500_000)}7`)).toBe(-7)
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })
})
