import { describe, expect, it } from 'vitest'
import { objectOutputSchema, objectStructuredContent } from './output-schema.js'

describe('objectOutputSchema', () => {
  it('keeps a schema of an object as it is', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/properties/b' } }, 'x-own': 1 }

    expect(objectOutputSchema(schema)).toBe(schema)
  })

  it('wraps a schema of something else, with its definitions within reach', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'array',
      items: { $ref: '#/$defs/row' },
      $defs: { row: { type: 'string' } },
    }

    expect(objectOutputSchema(schema)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { result: { type: 'array', items: { $ref: '#/$defs/row' } } },
      required: ['result'],
      $defs: { row: { type: 'string' } },
    })
  })

  it.each([
    [{ anyOf: [{ type: 'object' }, { type: 'array' }] }],
    [{ type: ['object', 'null'] }],
    [{ type: 'array', items: { $ref: '#' } }],
    [{ type: 'array', items: { $ref: '#/items' } }],
    [{ type: 'array', items: { anyOf: [{ $dynamicRef: '#/definitions/x' }] } }],
  ])('leaves out %j, which cannot be said of results that may or may not be wrapped', (schema) => {
    expect(objectOutputSchema(schema)).toBeUndefined()
  })
})

describe('objectStructuredContent', () => {
  it('keeps an object and wraps anything else', () => {
    const object = { a: 1 }

    expect(objectStructuredContent(object)).toBe(object)
    expect([[1], 'text', 0, null].map(objectStructuredContent)).toEqual([
      { result: [1] },
      { result: 'text' },
      { result: 0 },
      { result: null },
    ])
  })
})
