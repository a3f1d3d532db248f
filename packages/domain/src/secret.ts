const printed = '[redacted]'

/**
 * A credential that does not show when it is printed, serialised or inspected.
 * `reveal` is the only way to its text.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The credential itself: for the header or the request body that needs it, and nothing else. */
  reveal(): string {
    return this.#text
  }

  /** `[redacted]`, whatever it holds. */
  toString(): string {
    return printed
  }

  /** `[redacted]`, as in `toString`. */
  toJSON(): string {
    return printed
  }

  /** `[redacted]`, as in `toString`, when Node prints it. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return printed
  }
}
