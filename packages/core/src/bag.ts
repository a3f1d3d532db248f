/** Something that one bag at a time can hold. */
export interface Bagged {
  /** Where it is in its bag. Only the bag writes it. */
  place: number
}

/**
 * What is there now, in no order; cheap to enter and to leave, millions of times.
 * A `Set` is not: it outgrows its table every few entries, and V8 links the old table to the new one, so that what was
 * once in it outlives the collections of young objects.
 */
export class Bag<Item extends Bagged> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  /** Puts in an item that is in no bag. */
  add(item: Item): void {
    item.place = this.#items.push(item) - 1
  }

  /** Takes an item out. False when it is not in this bag. */
  delete(item: Item): boolean {
    if (this.#items[item.place] !== item) return false
    const last = this.#items.pop()
    if (last !== undefined && last !== item) {
      last.place = item.place
      this.#items[last.place] = last
    }
    item.place = -1
    return true
  }

  /** What is in it now, as a list of its own. */
  items(): readonly Item[] {
    return [...this.#items]
  }
}
