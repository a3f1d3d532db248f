import { TemplateFault } from './template-errors.js'
import { compareText } from './text-order.js'

/** The longest template source, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 1_048_576
/** The most tokens in one template. */
export const MAX_TOKENS = 100_000
/** How deep blocks and parentheses nest in a template's source. */
export const MAX_NESTING = 100
/** How deep blocks, parentheses and `{{template}}` calls nest while a template runs. */
export const MAX_RUN_DEPTH = 400
/** How deep a value may nest to be printed or written as JSON. */
export const MAX_VALUE_DEPTH = 1000
/** How deep arrays and objects of templates nest (see `expandValue`). */
export const MAX_EXPANSION_DEPTH = 100
/** The largest rendered text, in bytes of UTF-8. */
export const MAX_OUTPUT_BYTES = 10_485_760
/** The steps one run may take: one for each node visited, each value printed and each 16 characters handled. */
export const MAX_STEPS = 2_000_000

/** What one run of a template has used of its budget. Counted in steps, so that a limit is the same on every machine. */
export class Work {
  #steps = 0
  #depth = 0
  readonly #keys = new WeakMap<object, readonly string[]>()

  /** The steps taken so far; never over `MAX_STEPS`. */
  get steps(): number {
    return this.#steps
  }

  /** Pays for work about to be done, or refuses it. */
  spend(steps: number): void {
    if (this.#steps + steps > MAX_STEPS) throw new TemplateFault(`template takes too many steps (max ${MAX_STEPS})`)
    this.#steps += steps
  }

  /** Pays for reading or writing a text. */
  spendText(text: string): void {
    this.spend(1 + Math.floor(text.length / 16))
  }

  /** The keys of an object in the order of their UTF-8 bytes; paid for once, because data does not change meanwhile. */
  sortedKeys(map: object): readonly string[] {
    const known = this.#keys.get(map)
    if (known !== undefined) return known
    const keys = Object.keys(map)
    this.spend(keys.length)
    keys.sort(compareText)
    this.#keys.set(map, keys)
    return keys
  }

  /** Runs one level deeper. */
  descend<A>(run: () => A): A {
    if (this.#depth >= MAX_RUN_DEPTH)
      throw new TemplateFault(`template nests too deep while running (max ${MAX_RUN_DEPTH})`)
    this.spend(1)
    this.#depth++
    try {
      return run()
    } finally {
      this.#depth--
    }
  }
}
