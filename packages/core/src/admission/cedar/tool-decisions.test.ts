import { describe, expect, it } from 'vitest'

import type { Decision } from '../question.js'
import type { Principal } from './principal.js'
import { toolDecisions } from './tool-decisions.js'

const principal = (key: string): Principal => ({
  entity: { uid: { type: 'Client', id: key }, attrs: {}, parents: [] },
  claims: {},
  key,
})

/** Answers differently each time, so that a test sees which answers are new. */
function counted() {
  let count = 0
  return (): Decision => ({ allowed: true, policyIds: [`answer ${(count += 1)}`] })
}

describe('toolDecisions', () => {
  it('decides once for a principal, a name and annotations', () => {
    const decisions = toolDecisions()
    const decide = counted()
    const alice = principal('alice')
    const annotations = { readOnlyHint: true }
    const first = decisions.get(alice, { kind: 'tool', name: 'read', annotations }, decide)
    expect(decisions.get(alice, { kind: 'tool', name: 'read', annotations, arguments: { a: 1 } }, decide)).toBe(first)
  })

  it.each([
    ['another principal', principal('bob'), 'read', undefined],
    ['another tool', undefined, 'write', undefined],
    ['other annotations', undefined, 'read', { readOnlyHint: false }],
  ])('decides anew for %s', (_, other, name, annotations) => {
    const decisions = toolDecisions()
    const decide = counted()
    const alice = principal('alice')
    const first = decisions.get(alice, { kind: 'tool', name: 'read' }, decide)
    const question = { kind: 'tool' as const, name, ...(annotations !== undefined && { annotations }) }
    expect(decisions.get(other ?? alice, question, decide)).not.toBe(first)
  })

  it('forgets what was asked longest ago', () => {
    const decisions = toolDecisions()
    const decide = counted()
    const alice = principal('alice')
    const first = decisions.get(alice, { kind: 'tool', name: 'tool' }, decide)
    for (let index = 0; index < 1_024; index += 1) decisions.get(alice, { kind: 'tool', name: `tool_${index}` }, decide)
    expect(decisions.get(alice, { kind: 'tool', name: 'tool' }, decide)).not.toBe(first)
  })
})
