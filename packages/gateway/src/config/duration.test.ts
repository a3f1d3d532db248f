import { describe, expect, it } from 'vitest'
import { parseDuration } from './duration.js'

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250us', 0.25],
    ['250µs', 0.25],
    ['0', 0],
    ['-1s', -1_000],
  ])('reads %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it.each(['abc', '30', '', '1m 30s', 's', '1d', '--1s'])('AGG-C44 refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
