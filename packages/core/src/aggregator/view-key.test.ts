import type { Backend } from '@vmcp/domain'
import { Identity } from '@vmcp/domain'
import { scriptedBackend } from '@vmcp/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { rememberedViewKey, viewKey } from './view-key.js'

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

describe('rememberedViewKey', () => {
  const bob = new Identity({ issuer: 'https://idp', subject: 'bob' })
  const [one, two] = [scriptedBackend({ id: 'a' }), scriptedBackend({ id: 'b' })]

  it.each([
    ['a caller', alice],
    ['nobody', null],
  ])('is the same for %s, with and without forwarded headers in turn', (_who, identity) => {
    const keyOf = rememberedViewKey()
    const served = [one]
    for (const headers of [undefined, { a: '1' }, undefined, {}, { a: '2' }, undefined]) {
      expect(keyOf(identity, headers, served)).toBe(viewKey(identity, headers, ['a']))
    }
  })

  it.each([
    ['a caller', alice],
    ['nobody', null],
  ])('follows the list of what is served, for %s', (_who, identity) => {
    const keyOf = rememberedViewKey()
    const [first, second] = [[one], [one, two]]
    expect(keyOf(identity, undefined, first)).toBe(viewKey(identity, undefined, ['a']))
    expect(keyOf(identity, undefined, second)).toBe(viewKey(identity, undefined, ['a', 'b']))
    expect(keyOf(identity, undefined, first)).toBe(viewKey(identity, undefined, ['a']))
  })

  it('is a viewKey, whoever asks in whatever order', () => {
    const lists: readonly (readonly Backend[])[] = [[], [one], [one, two], [two, one], [one]]
    const request = fc.tuple(
      fc.constantFrom(null, alice, bob, new Identity({ issuer: 'https://idp', subject: 'alice' })),
      fc.constantFrom<Readonly<Record<string, string>> | undefined>(undefined, {}, { a: '1' }, { a: '2' }),
      fc.constantFrom(...lists),
    )
    fc.assert(
      fc.property(fc.array(request, { maxLength: 30, size: 'max' }), (requests) => {
        const keyOf = rememberedViewKey()
        for (const [identity, headers, served] of requests) {
          const ids = served.map(({ id }) => id)
          expect(keyOf(identity, headers, served)).toBe(viewKey(identity, headers, ids))
        }
      }),
    )
  })

  it('makes the key of each caller once for the same list', () => {
    let reads = 0
    const counted = {
      ...one,
      get id() {
        reads += 1
        return 'a'
      },
    }
    const keyOf = rememberedViewKey()
    const served = [counted]
    for (const identity of [alice, null, bob, alice, null, bob]) keyOf(identity, undefined, served)
    expect(reads).toBe(3)
  })
})
