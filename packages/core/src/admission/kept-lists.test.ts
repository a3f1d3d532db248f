import { describe, expect, it } from 'vitest'

import { keptLists } from './kept-lists.js'

const asked = () => 'in one way'
const askedOtherwise = () => 'in another'

describe('keptLists', () => {
  it('gives a caller the very list it was given before, and no other caller', () => {
    const lists = keptLists()
    const items = Object.freeze(['a', 'b'])
    const kept = Object.freeze(['a'])
    lists.set(items, asked, { caller: 'alice', kept })
    expect(lists.get(items, asked, 'alice')).toBe(kept)
    expect(lists.get(items, asked, 'bob')).toBeUndefined()
  })

  it('knows nothing of an equal list, or of one that was asked about in another way', () => {
    const lists = keptLists()
    const items = Object.freeze(['a'])
    lists.set(items, asked, { caller: 'alice', kept: items })
    expect(lists.get(Object.freeze(['a']), asked, 'alice')).toBeUndefined()
    expect(lists.get(items, askedOtherwise, 'alice')).toBeUndefined()
  })

  it('remembers nothing of a list that can change', () => {
    const lists = keptLists()
    const items = ['a']
    lists.set(items, asked, { caller: 'alice', kept: items })
    expect(lists.get(items, asked, 'alice')).toBeUndefined()
  })

  it('forgets the callers who have not come for longest', () => {
    const lists = keptLists()
    const items = Object.freeze(['a'])
    for (let caller = 0; caller <= 32; caller += 1) lists.set(items, asked, { caller: String(caller), kept: items })
    expect(lists.get(items, asked, '0')).toBeUndefined()
    expect(lists.get(items, asked, '32')).toBe(items)
  })
})
