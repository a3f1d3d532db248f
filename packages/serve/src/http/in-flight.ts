/** Counts what is being served, so that a closing server can wait for it. */
export class InFlight {
  #count = 0
  readonly #waiting = new Set<() => void>()

  get count(): number {
    return this.#count
  }

  /** Counts one more until the returned function is called. */
  enter(): () => void {
    this.#count += 1
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.#count -= 1
      if (this.#count === 0) for (const wake of this.#waiting) wake()
    }
  }

  /** Resolves when nothing is being served, or after `limitMs`. */
  async idle(limitMs: number): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, limitMs)
      const waiting = this.#waiting
      waiting.add(done)

      function done(): void {
        clearTimeout(timer)
        waiting.delete(done)
        resolve()
      }
    })
  }
}
