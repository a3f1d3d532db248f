import type { Logger } from '@vmcp/domain'

const tailBytes = 4_096
const lineLength = 500

/** The end of what a process writes to its error output, within a bound. It goes to the operator's log only. */
export class StderrTail {
  readonly #logger: Logger
  #text = ''

  constructor(logger: Logger) {
    this.#logger = logger
  }

  write(chunk: Buffer): void {
    const text = chunk.subarray(-tailBytes).toString('utf8')
    this.#text = (this.#text + text).slice(-tailBytes)
    this.#logger.debug('backend stderr', { text: text.trimEnd().slice(0, lineLength) })
  }

  get text(): string {
    return this.#text.trim()
  }
}
