import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.js'

const parameters = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    list: { type: 'array' },
    either: { type: ['string', 'null'] },
    any: {},
  },
}

describe('readArguments', () => {
  it('reads each value as its parameter wants it', () => {
    const argument = [
      ['text', '5'],
      ['count', '5'],
      ['list', '["a"]'],
      ['either', 'null'],
      ['any', '5'],
      ['unknown', '5'],
    ] as const
    expect(readArguments({ argument }, parameters)).toEqual({
      text: '5',
      count: 5,
      list: ['a'],
      either: 'null',
      any: '5',
      unknown: '5',
    })
  })

  it('keeps what is not JSON for the check to name', () => {
    expect(readArguments({ argument: [['count', 'many']] }, parameters)).toEqual({ count: 'many' })
  })

  it('lets one argument win over all of them', () => {
    const options = { arguments: { text: 'a', count: 1 }, argument: [['text', 'b']] } as const
    expect(readArguments(options, undefined)).toEqual({ text: 'b', count: 1 })
  })
})
