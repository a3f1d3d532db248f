import { inspect } from 'node:util'

import { describe, expect, it } from 'vitest'

import { Secret } from './secret.js'

describe('Secret', () => {
  const secret = new Secret('hunter2')

  it('reveals its text on demand', () => {
    expect(secret.reveal()).toBe('hunter2')
  })

  it.each([
    ['a template', () => `${secret}`],
    ['JSON', () => JSON.stringify({ secret })],
    ['inspect', () => inspect({ deep: { secret } }, { showHidden: true })],
    ['its keys', () => JSON.stringify([Object.keys(secret), Object.entries(secret)])],
    ['a copy', () => JSON.stringify({ ...secret })],
  ])('does not show in %s', (_, print) => {
    expect(print()).not.toContain('hunter2')
  })
})
