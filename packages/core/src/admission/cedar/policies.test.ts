import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import { describe, expect, it } from 'vitest'

import { readPolicies } from './policies.js'

const permit = 'permit(principal, action, resource);'

describe('readPolicies', () => {
  it('names policies by their place, or by an @id of their own', () => {
    expect(idsOf([permit, `${permit}\n${permit}`, `@id("ours") ${permit}`])).toEqual([
      'policy0',
      'policy1',
      'policy1.1',
      'ours',
    ])
  })

  it('gives no name twice', () => {
    const texts = [`@id("a") ${permit}`, `@id("a") ${permit}`, `@id("policy1") ${permit}`, `@id("") ${permit}`]
    expect(idsOf(texts)).toEqual(['a', 'policy1', 'policy2', 'policy3'])
  })

  it('counts characters, not bytes, to the place of an error', () => {
    const { problems } = readPolicies(cedar, ['permit(principal == Client::"zoë 🦊", action resource);'])
    expect(problems[0]?.message).toContain('line 1, column 46')
  })
})

function idsOf(texts: readonly string[]): readonly string[] {
  return readPolicies(cedar, texts).policies.map((policy) => policy.id)
}
