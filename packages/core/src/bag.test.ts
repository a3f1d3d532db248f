import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { Bag } from './bag.js'
import type { Bagged } from './bag.js'

interface Item extends Bagged {
  readonly name: number
}

describe('Bag', () => {
  it('holds what went in and did not come out, whatever the order', () => {
    const steps = fc.array(fc.record({ name: fc.nat(9), enters: fc.boolean() }), { maxLength: 60 })
    fc.assert(
      fc.property(steps, (moves) => {
        const items = Array.from({ length: 10 }, (_, name): Item => ({ name, place: -1 }))
        const bag = new Bag<Item>()
        const inside = new Set<Item>()
        for (const { name, enters } of moves) {
          const item = items[name]
          if (item === undefined) continue
          if (!enters) expect(bag.delete(item)).toBe(inside.delete(item))
          else if (!inside.has(item)) {
            bag.add(item)
            inside.add(item)
          }
        }
        expect(bag.size).toBe(inside.size)
        expect(new Set(bag.items())).toEqual(inside)
      }),
    )
  })

  it('does not take out what another bag holds', () => {
    const [one, other] = [new Bag(), new Bag()]
    const item = { place: -1 }
    one.add({ place: -1 })
    other.add(item)
    expect(one.delete(item)).toBe(false)
    expect(other.items()).toEqual([item])
  })

  it('gives a list that later changes leave alone', () => {
    const bag = new Bag()
    const item = { place: -1 }
    bag.add(item)
    const items = bag.items()
    bag.delete(item)
    expect(items).toEqual([item])
  })
})
