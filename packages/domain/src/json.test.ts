import { describe, expect, it } from 'vitest'

import { isJsonObject } from './json.js'

describe('isJsonObject', () => {
  it('is true for objects, and false for null, arrays and scalars', () => {
    expect([{}, { a: null }].every(isJsonObject)).toBe(true)
    expect([null, [], 'x', 1, undefined].some(isJsonObject)).toBe(false)
  })
})
