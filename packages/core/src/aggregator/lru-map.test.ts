import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { LruMap } from './lru-map.js'

describe('LruMap', () => {
  it('keeps what was read last, however often it was read', () => {
    const map = new LruMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.get('a')
    map.get('a')
    map.set('c', 3)
    expect([...map.entries()]).toEqual([
      ['a', 1],
      ['c', 3],
    ])
  })

  it('does as a plain list of what was used, longest ago first', () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'd')
    const action = fc.oneof(
      fc.record({ name: fc.constant('get' as const), key: keys }),
      fc.record({ name: fc.constant('set' as const), key: keys, value: fc.nat(9) }),
      fc.record({ name: fc.constant('delete' as const), key: keys }),
    )
    fc.assert(
      fc.property(fc.nat(4), fc.array(action, { maxLength: 40, size: 'max' }), (capacity, actions) => {
        const map = new LruMap<string, number>(capacity)
        let used: readonly Entry[] = []
        for (const act of actions) {
          const { key } = act
          const found = used.find(([other]) => other === key)
          const others = used.filter((entry) => entry !== found)
          switch (act.name) {
            case 'get':
              expect(map.get(key)).toBe(found?.[1])
              if (found !== undefined) used = [...others, found]
              break
            case 'set':
              map.set(key, act.value)
              used = newest([...others, [key, act.value]], capacity)
              break
            case 'delete':
              map.delete(key)
              used = others
          }
          expect([...map.entries()]).toEqual(used)
          expect(map.size).toBe(used.length)
        }
      }),
    )
  })
})

type Entry = readonly [key: string, value: number]

function newest(used: readonly Entry[], capacity: number): readonly Entry[] {
  return used.slice(Math.max(0, used.length - capacity))
}
