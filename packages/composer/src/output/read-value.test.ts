import { describe, expect, it } from 'vitest'
import { readDefault, readValue } from './read-value.js'

describe('readValue', () => {
  it('CORE-O11 reads 1, 0 and nothing else as booleans', () => {
    expect(readValue('boolean', '1')).toBe(true)
    expect(readValue('boolean', '0')).toBe(false)
    expect(readValue('boolean', 'maybe')).toBeUndefined()
  })
})

describe('readDefault', () => {
  it('CORE-O11 reads numbers and objects from text', () => {
    expect(readDefault('integer', '123')).toBe(123)
    expect(readDefault('number', 42)).toBe(42)
    expect(readDefault('object', '{"key": "value"}')).toEqual({ key: 'value' })
  })

  it('truncates a number to an integer and prints anything as a string', () => {
    expect(readDefault('integer', 1.9)).toBe(1)
    expect(readDefault('string', 7)).toBe('7')
    expect(readDefault('string', { a: 1 })).toBe('{"a":1}')
  })

  it('takes integers and texts, and no fraction, for booleans', () => {
    expect(readDefault('boolean', 1)).toBe(true)
    expect(readDefault('boolean', 2)).toBe(false)
    expect(readDefault('boolean', 0.5)).toBeUndefined()
    expect(readDefault('boolean', 'True')).toBe(true)
    expect(readDefault('boolean', 'T')).toBeUndefined()
  })
})
