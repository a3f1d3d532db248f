import { describe, expect, it } from 'vitest'
import { compileSchema } from './json-schema.js'

const breaks = (schema: Record<string, unknown>, value: unknown) => compileSchema(schema)(value)?.rule

describe('compileSchema', () => {
  it('reads patterns that Go reads, so that the schema of a ToolHive file loads', () => {
    expect(breaks({ pattern: '^\\d{3}\\-\\d{4}\\@x\\.org$' }, '555-1234@x.org')).toBeUndefined()
    expect(breaks({ pattern: '(?i)^prod(uction)?$' }, 'PROD')).toBeUndefined()
    expect(breaks({ pattern: '(?i)^prod(uction)?$' }, 'test')).toBe('pattern')
    expect(breaks({ pattern: '^\\p{L}+$' }, 'ключ')).toBeUndefined()
    expect(breaks({ patternProperties: { '^x\\-': { type: 'string' } } }, { 'x-a': 7 })).toBe('type')
  })

  it('refuses a pattern that is none', () => {
    expect(() => compileSchema({ pattern: '(' })).toThrow()
  })

  it('ignores a format and a keyword that it does not know', () => {
    expect(breaks({ format: 'semver', 'x-order': 1 }, 'x')).toBeUndefined()
    expect(breaks({ format: 'email' }, 'x')).toBe('format')
  })

  it('takes nothing that an object inherits for a property', () => {
    expect(breaks({ required: ['toString'] }, {})).toBe('required')
    expect(breaks({ properties: { constructor: { type: 'string' } } }, {})).toBeUndefined()
  })

  it('names the field and the rule, and no value', () => {
    const check = compileSchema({ properties: { 'a/b': { items: { enum: ['x'] } } } })

    expect(check({ 'a/b': ['x', 'secret'] })).toEqual({
      field: 'a/b.1',
      rule: 'enum',
      message: 'must be equal to one of the allowed values',
    })
  })
})
