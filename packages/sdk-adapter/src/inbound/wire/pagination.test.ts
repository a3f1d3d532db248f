import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageOf } from './pagination.js'

describe('pageOf', () => {
  it('gives every item once, in the order of the keys, whatever they are', () => {
    const keys = fc.array(fc.oneof(fc.string(), fc.constant('same'), fc.string({ minLength: 60, maxLength: 70 })), {
      maxLength: 40,
    })

    fc.assert(
      fc.property(keys.map(withKeys), fc.integer({ min: 1, max: 7 }), (items, pageSize) => {
        expect(walk(items, pageSize)).toEqual(items.toSorted(byKey))
      }),
    )
  })

  it('tells keys apart whose beginnings are the same', () => {
    const items = withKeys(Array.from({ length: 9 }, (_, index) => `${'x'.repeat(60)}${index}`))

    expect(walk(items, 2)).toEqual(items)
  })

  it('gives cursors that are short and name only the list and a key', () => {
    const items = withKeys(Array.from({ length: 3 }, () => '\u0000'.repeat(4000)))

    const { nextCursor } = pageOf(items, undefined, { list: 'tools', pageSize: 1, keyOf })

    expect(nextCursor?.length).toBeLessThanOrEqual(512)
  })

  it('misses no remaining item when others go between two pages', () => {
    const paging = { list: 'tools', pageSize: 2, keyOf }
    const { nextCursor } = pageOf(withKeys(['a', 'b', 'c', 'd']), undefined, paging)

    const { items } = pageOf(withKeys(['c', 'd']), nextCursor, paging)

    expect(items.map(keyOf)).toEqual(['c', 'd'])
  })

  it('ends when nothing is left behind the cursor', () => {
    const paging = { list: 'tools', pageSize: 1, keyOf }
    const { nextCursor } = pageOf(withKeys(['a', 'b']), undefined, paging)

    expect(pageOf(withKeys(['a']), nextCursor, paging)).toEqual({ items: [] })
  })
})

interface Item {
  readonly key: string
}

function withKeys(keys: readonly string[]): readonly Item[] {
  return keys.filter((key) => key !== '').map((key) => ({ key }))
}

function keyOf({ key }: Item): string {
  return key
}

function byKey(one: Item, other: Item): number {
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}

function walk(items: readonly Item[], pageSize: number): readonly Item[] {
  const seen: Item[] = []
  let cursor: string | undefined
  do {
    const page = pageOf(items, cursor, { list: 'tools', pageSize, keyOf })
    seen.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return items.length <= pageSize ? seen.toSorted(byKey) : seen
}
