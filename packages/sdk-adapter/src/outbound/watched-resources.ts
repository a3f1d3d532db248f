/** The resources that somebody wants to hear of, counted: a resource is watched as long as anybody does. */
export class WatchedResources {
  readonly #counts = new Map<string, number>()

  get uris(): readonly string[] {
    return [...this.#counts.keys()]
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** True when nobody watched it before. */
  add(uri: string): boolean {
    const count = this.#counts.get(uri) ?? 0
    this.#counts.set(uri, count + 1)
    return count === 0
  }

  /** True when nobody watches it any more. */
  remove(uri: string): boolean {
    const count = this.#counts.get(uri) ?? 0
    if (count > 1) this.#counts.set(uri, count - 1)
    else this.#counts.delete(uri)
    return count === 1
  }
}
