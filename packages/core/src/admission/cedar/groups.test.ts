import { Identity } from '@vmcp/domain'
import type { JsonObject } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import { groupsOf } from './groups.js'
import type { GroupClaims } from './groups.js'

describe('groupsOf', () => {
  it.each(['groups', 'roles', 'cognito:groups'])('SRV-Z082 finds the well-known claim %s', (claim) => {
    expect(groups({ [claim]: ['eng'] })).toEqual(['eng'])
  })

  it('SRV-Z082 joins groups and roles, each once', () => {
    const claims = { teams: ['eng', 'ops'], duties: ['ops', 'admin'] }
    expect(groups(claims, { groupClaimName: 'teams', roleClaimName: 'duties' })).toEqual(['eng', 'ops', 'admin'])
  })

  it('SRV-Z082 follows a path into nested claims', () => {
    expect(groups({ realm_access: { roles: ['admin'] } }, { roleClaimName: 'realm_access.roles' })).toEqual(['admin'])
  })

  it('SRV-Z082 takes a name with dots for a whole claim first', () => {
    const name = 'https://example.com/groups'
    expect(groups({ [name]: ['eng'] }, { groupClaimName: name })).toEqual(['eng'])
    expect(groups({ 'a.b': ['whole'], a: { b: ['path'] } }, { groupClaimName: 'a.b' })).toEqual(['whole'])
  })

  it('falls back to well-known claims when the configured one is absent, not when it is empty', () => {
    expect(groups({ groups: ['eng'] }, { groupClaimName: 'teams' })).toEqual(['eng'])
    expect(groups({ groups: ['eng'], teams: [] }, { groupClaimName: 'teams' })).toEqual([])
  })

  it('leaves out what is no text, and a claim that is no list', () => {
    expect(groups({ groups: ['eng', 7, null, ['ops']] })).toEqual(['eng'])
    expect(groups({ groups: 'eng' })).toEqual([])
  })

  it('reads nothing that a claim inherits', () => {
    expect(groups({}, { groupClaimName: 'constructor.name' })).toEqual([])
  })

  it('uses the groups that the authenticator found when no claim has any', () => {
    const local = new Identity({ issuer: 'vmcp-local', subject: 'me', groups: ['wheel'] })
    expect(groupsOf(local, {}, {})).toEqual(['wheel'])
    expect(groupsOf(local, { groups: ['eng'] }, {})).toEqual(['eng'])
  })
})

function groups(claims: JsonObject, names: GroupClaims = {}): readonly string[] {
  return groupsOf(new Identity({ issuer: 'i', subject: 's', claims }), claims, names)
}
