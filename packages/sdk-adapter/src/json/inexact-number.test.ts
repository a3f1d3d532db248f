import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findInexactNumber } from './inexact-number.js'

describe('findInexactNumber', () => {
  it.each(['9007199254740993', '-9007199254740993', '123456789012345678901', '1e400', '-1E+999', '9'.repeat(400)])(
    'finds %s wherever it is',
    (number) => {
      expect(findInexactNumber(number)).toBe(number)
      expect(findInexactNumber(`{"a":[1,{"b":${number}}]}`)).toBe(number)
    },
  )

  it.each([
    '9007199254740991',
    '9007199254740992',
    '1000000000000000000000',
    '1e21',
    '0.12345678901234567890',
    '1e-999',
  ])('lets %s pass', (number) => expect(findInexactNumber(`[${number}]`)).toBeUndefined())

  it('does not look into texts', () => {
    expect(findInexactNumber('{"9007199254740993":"\\"9007199254740993","b":"1e400\\\\"}')).toBeUndefined()
  })

  it('finds nothing in what JSON itself wrote', () => {
    fc.assert(fc.property(fc.json(), (json) => findInexactNumber(json) === undefined))
  })
})
