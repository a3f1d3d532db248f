import { Identity } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import { claimsOf } from './claims.js'

describe('claimsOf', () => {
  it('gives the claims of the request, with the subject and issuer that were authenticated', () => {
    expect(claimsOf(caller(), undefined)).toEqual({ sub: 'alice', iss: 'https://idp.example', team: 'a' })
  })

  it('SRV-Z083 gives the claims of an upstream JWT, and none of the request', () => {
    const token = jwt({ alg: 'none' }, { sub: 'upstream-alice', team: 'b' })
    expect(claimsOf(caller({ github: token }), 'github')).toEqual({ sub: 'upstream-alice', team: 'b' })
  })

  it('SRV-Z083 falls back to the request for an opaque upstream token', () => {
    expect(claimsOf(caller({ github: 'gho_opaque' }), 'github')).toMatchObject({ sub: 'alice' })
  })

  it.each(['a.b.c', `${encoded({})}.bm8.x`, `${encoded({})}.${encoded({ sub: 'x' })}!.x`, `.${encoded({})}.`])(
    'SRV-Z083 gives none for %s, which looks like a JWT and is none',
    (token) => {
      expect(claimsOf(caller({ github: token }), 'github')).toBeUndefined()
    },
  )

  it('SRV-Z083 gives none without an upstream token', () => {
    expect(claimsOf(caller(), 'github')).toBeUndefined()
    expect(claimsOf(caller({ github: '' }), 'github')).toBeUndefined()
    expect(claimsOf(caller(), 'constructor')).toBeUndefined()
  })
})

function caller(upstreamTokens: Readonly<Record<string, string>> = {}): Identity {
  return new Identity({ issuer: 'https://idp.example', subject: 'alice', claims: { team: 'a' }, upstreamTokens })
}

function jwt(header: object, payload: object): string {
  return `${encoded(header)}.${encoded(payload)}.signature`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
