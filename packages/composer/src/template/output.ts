import { Buffer } from 'node:buffer'
import { MAX_OUTPUT_BYTES } from './limits.js'
import { TemplateFault } from './template-errors.js'

/** The text a run has written. It refuses to grow over its limit. */
export class Output {
  readonly #pieces: string[] = []
  #bytes = 0

  write(text: string): void {
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > MAX_OUTPUT_BYTES) {
      throw new TemplateFault(`template output too large: ${this.#bytes} bytes (max ${MAX_OUTPUT_BYTES})`)
    }
    this.#pieces.push(text)
  }

  text(): string {
    return this.#pieces.join('')
  }
}
