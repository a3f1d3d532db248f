import { Identity } from '@vmcp/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { viewKey } from './view-key.js'

const alice = new Identity({ issuer: 'https://idp', subject: 'alice' })

describe('viewKey', () => {
  it('tells anonymous callers, subjects and issuers apart', () => {
    const callers = [
      null,
      alice,
      new Identity({ issuer: 'https://idp', subject: 'bob' }),
      new Identity({ issuer: 'https://other', subject: 'alice' }),
      new Identity({ issuer: '', subject: '' }),
    ]
    expect(new Set(callers.map((caller) => viewKey(caller, undefined, ['a']))).size).toBe(callers.length)
  })

  it('does not depend on the order of headers, nor on absent against empty ones', () => {
    expect(viewKey(alice, { a: '1', b: '2' }, [])).toBe(viewKey(alice, { b: '2', a: '1' }, []))
    expect(viewKey(alice, {}, [])).toBe(viewKey(alice, undefined, []))
  })

  it('shows nothing of a header value', () => {
    expect(viewKey(alice, { authorization: 'Bearer secret' }, [])).not.toContain('secret')
  })

  it('cannot be forged with separators', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '=', '\0', ',', '"', '[', ']', '\ud800'), maxLength: 4 })
    const parts = fc.tuple(text, text, fc.dictionary(text, text, { maxKeys: 2 }), fc.array(text, { maxLength: 3 }))
    const keyOf = ([issuer, subject, headers, ids]: [string, string, Record<string, string>, string[]]) =>
      viewKey(new Identity({ issuer, subject }), headers, ids)
    const canonical = ([issuer, subject, headers, ids]: [string, string, Record<string, string>, string[]]) =>
      JSON.stringify([issuer, subject, Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)), ids])
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(keyOf(one) === keyOf(other)).toBe(canonical(one) === canonical(other))
      }),
    )
  })
})
