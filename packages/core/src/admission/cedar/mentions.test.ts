import { describe, expect, it } from 'vitest'
import * as cedar from '@cedar-policy/cedar-wasm/nodejs'

import { mentionsOf } from './mentions.js'

describe('mentionsOf', () => {
  it('finds attributes, however they are reached', () => {
    const mentions = of(
      'permit(principal, action, resource) when { context.a == 1 && principal["b c"] == 2 && resource has d.e };',
      'forbid(principal, action, resource) unless { if true then [context.f.g].contains(1) else principal.h has i };',
    )
    for (const name of ['a', 'b c', 'd', 'e', 'f', 'g', 'h', 'i']) expect(mentions.attribute(name)).toBe(true)
    expect(mentions.attribute('z')).toBe(false)
  })

  it('takes the context as a whole value for everything', () => {
    const mentions = of('permit(principal, action, resource) when { context == {a: 1} };')
    expect(mentions.attribute('anything')).toBe(true)
  })

  it('finds the entities of scopes and conditions', () => {
    const { entities } = of(
      'permit(principal in G::"g", action in [Action::"a", Action::"b"], resource is T in S::"s") when { U::"u" in V::"v" };',
    )
    const names = entities.map(({ type, id }) => `${type}::${id}`)
    expect(names.sort()).toEqual(['Action::a', 'Action::b', 'G::g', 'S::s', 'U::u', 'V::v'])
  })
})

function of(...policies: readonly string[]) {
  return mentionsOf(
    policies.map((policy) => {
      const answer = cedar.policyToJson(policy)
      if (answer.type === 'failure') throw new Error(answer.errors.map((error) => error.message).join())
      return answer.json
    }),
  )
}
