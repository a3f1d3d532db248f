import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isLegalName, legalName } from './legal-name.js'

const source = { backendId: 'b', ownName: 'x' }

describe('legalName', () => {
  it.each(['get_issue', 'a.b-c_D9', '9lives', '_private'])('leaves the legal name %s as it is', (name) => {
    expect(legalName(name, source, 64)).toBe(name)
  })

  it.each(['-flag', '.hidden', 'with space', 'données', '', 'a/b', 'x'.repeat(65)])('changes %j', (name) => {
    expect(legalName(name, source, 64)).not.toBe(name)
  })

  it('keeps what is legible in ASCII', () => {
    expect(legalName('données.lire/ligne', source, 64)).toMatch(/^donnees\.lire_ligne_[0-9a-f]{10}$/u)
    expect(legalName('表計算', source, 64)).toMatch(/^[0-9a-f]{10}$/u)
  })

  it('is the same on every replica and after every restart', () => {
    expect(legalName('a b', { backendId: 'github', ownName: 'a b' }, 64)).toBe('a_b_a36681a2e7')
  })

  it('tells sources apart that look alike', () => {
    const names = [
      legalName('a b', { backendId: 'x', ownName: 'a b' }, 64),
      legalName('a_b ', { backendId: 'x', ownName: 'a_b ' }, 64),
      legalName('a b', { backendId: 'y', ownName: 'a b' }, 64),
    ]
    expect(new Set(names).size).toBe(3)
  })

  it('is legal and within the budget for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ minLength: 60, maxLength: 90 }),
    )
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1, max: 128 }), (name, backendId, ownName, maxLength) => {
        expect(isLegalName(legalName(name, { backendId, ownName }, maxLength), maxLength)).toBe(true)
      }),
    )
  })
})
