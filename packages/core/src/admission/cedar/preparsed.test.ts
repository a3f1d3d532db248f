import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { describe, expect, it } from 'vitest'

import { readPolicies } from './policies.js'
import { preparsed } from './preparsed.js'

describe('preparsed', () => {
  it('uses the place of a closed scope again, so that the store of the engine stays bounded', async () => {
    const names = new Set<string>()
    for (let turn = 0; turn < 100; turn++) {
      const first = await opened('permit(principal, action, resource);')
      const second = await opened('forbid(principal, action, resource);')
      names.add(first.name).add(second.name)
      await first.close()
      await second.close()
    }
    expect(names.size).toBe(2)
  })

  it('keeps the sets of open scopes apart, and empties a closed one', async () => {
    const permitting = await opened('permit(principal, action, resource);')
    const forbidding = await opened('forbid(principal, action, resource);')
    expect([decision(permitting.name), decision(forbidding.name)]).toEqual(['allow', 'deny'])
    await permitting.close()
    expect(decision(permitting.name)).toBe('deny')
    await forbidding.close()
  })
})

async function opened(policy: string) {
  const scope = await Effect.runPromise(Scope.make())
  const { policies } = readPolicies(cedar, [policy])
  const name = await Effect.runPromise(Scope.provide(preparsed(cedar, policies), scope))
  return { name, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

function decision(preparsedPolicySetId: string) {
  const uid = { type: 'A', id: 'a' }
  const request = { principal: uid, action: uid, resource: uid, context: {}, entities: [] }
  const answer = cedar.statefulIsAuthorized({ ...request, preparsedPolicySetId })
  return answer.type === 'success' ? answer.response.decision : answer
}
