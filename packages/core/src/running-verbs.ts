import * as Effect from 'effect/Effect'

import { Bag } from './bag.js'
import type { Bagged } from './bag.js'

/** The verbs that run now. */
export class RunningVerbs {
  readonly #runs = new Bag<Stoppable>()
  #idle: (() => void) | undefined

  get size(): number {
    return this.#runs.size
  }

  enter(run: Stoppable): void {
    this.#runs.add(run)
  }

  leave(run: Stoppable): void {
    this.#runs.delete(run)
    if (this.#runs.size === 0) this.#idle?.()
  }

  /** Stops every one of them. */
  stop(): void {
    for (const run of this.#runs.items()) run.stop()
  }

  /** Ends when none runs. */
  readonly idle: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#runs.size === 0) return resume(Effect.void)
    this.#idle = () => resume(Effect.void)
  })
}

/** Something that runs and can be stopped. */
export interface Stoppable extends Bagged {
  stop(): void
}
