import { describe, expect, it } from 'vitest'

import { decisionCache } from './decision-cache.js'
import type { Decision } from './question.js'

const allowed: Decision = { allowed: true, policyIds: [] }

describe('decisionCache', () => {
  it('decides a question once', () => {
    const { cache, decided } = counting(2)
    cache('a')
    expect(cache('a')).toBe(allowed)
    expect(decided).toEqual(['a'])
  })

  it('lets the least recently used go first', () => {
    const { cache, decided } = counting(2)
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) cache(key)
    expect(decided).toEqual(['a', 'b', 'c', 'b'])
  })

  it('keeps nothing under a very long key', () => {
    const { cache, decided } = counting(2)
    cache('x'.repeat(5000))
    cache('x'.repeat(5000))
    expect(decided).toHaveLength(2)
  })
})

function counting(limit: number) {
  const decided: string[] = []
  const { get } = decisionCache(limit)
  return { decided, cache: (key: string) => get(key, () => (decided.push(key), allowed)) }
}
