import { inspect } from 'node:util'

import { describe, expect, it } from 'vitest'

import { Identity } from './identity.js'
import { Secret } from './secret.js'

describe('Identity', () => {
  const alice = new Identity({
    issuer: 'https://issuer.example',
    subject: 'alice',
    email: 'alice@example.com',
    claims: { ssn: '123-45-6789' },
    token: 'bearer-token',
    upstreamTokens: { github: 'gh-token' },
  })

  it('wraps tokens given as text', () => {
    expect(alice.token).toBeInstanceOf(Secret)
    expect(alice.token?.reveal()).toBe('bearer-token')
    expect(alice.upstreamTokens['github']?.reveal()).toBe('gh-token')
  })

  it('keeps a token that is a secret already', () => {
    const token = new Secret('t')
    expect(new Identity({ issuer: 'i', subject: 's', token }).token).toBe(token)
  })

  it.each([
    ['a template', () => `${alice}`],
    ['JSON', () => JSON.stringify(alice)],
    ['inspect', () => inspect({ caller: alice }, { depth: 10 })],
  ])('shows issuer and subject only in %s', (_, print) => {
    expect(print()).toContain('alice')
    for (const secret of ['bearer-token', 'gh-token', '123-45-6789', 'alice@example.com']) {
      expect(print()).not.toContain(secret)
    }
  })

  it('has no groups, claims or tokens when none are known', () => {
    const bob = new Identity({ issuer: 'i', subject: 'bob' })
    expect(bob).toMatchObject({ groups: [], claims: {}, token: undefined, upstreamTokens: {} })
  })

  it('cannot be changed', () => {
    expect(() => Object.assign(alice, { subject: 'mallory' })).toThrow(TypeError)
  })
})
