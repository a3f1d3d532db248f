/** A map that forgets what was used longest ago once it holds more than `capacity` entries. */
export class LruMap<Key, Value> {
  readonly #capacity: number
  readonly #entries = new Map<Key, Value>()
  #newest: Key | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined || key === this.#newest) return value
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    return value
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    while (this.#entries.size > this.#capacity) {
      const [oldest] = this.#entries.keys()
      if (oldest === undefined) return
      this.#entries.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  /** Longest unused first. Reading them does not count as a use. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries()
  }
}
