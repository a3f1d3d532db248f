/** A line that was longer than the limit: its beginning and its end. */
export interface OversizedLine {
  readonly head: string
  readonly tail: string
}

/** Who hears the lines. */
export interface LineListener {
  line(text: string): void
  /** A line has passed the limit and goes on; this is how it begins. */
  overflowing(head: string): void
  /** A line over the limit has ended. The lines after it are read as usual. */
  oversized(line: OversizedLine): void
}

const edgeBytes = 256

/** Cuts bytes into lines, and never holds more than a limit. */
export class LineReader {
  readonly #limit: number
  readonly #listener: LineListener
  #chunks: Buffer[] = []
  #size = 0
  #head = ''
  #tail: Buffer = Buffer.alloc(0)

  constructor(limitBytes: number, listener: LineListener) {
    this.#limit = limitBytes
    this.#listener = listener
  }

  write(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#hold(chunk.subarray(start, end))
      this.#finish()
      start = end + 1
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
  }

  #hold(piece: Buffer): void {
    this.#size += piece.length
    if (this.#size <= this.#limit) {
      this.#chunks.push(piece)
      return
    }
    const isFirst = this.#head === ''
    if (isFirst)
      this.#head = Buffer.concat([...this.#chunks, piece])
        .subarray(0, edgeBytes)
        .toString('utf8')
    const last = Buffer.concat([...this.#chunks, piece].slice(-2))
    this.#chunks = []
    this.#tail = Buffer.concat([this.#tail, last]).subarray(-edgeBytes)
    if (isFirst) this.#listener.overflowing(this.#head)
  }

  #finish(): void {
    const isOversized = this.#size > this.#limit
    const chunks = this.#chunks
    const line = { head: this.#head, tail: this.#tail.toString('utf8') }
    this.#chunks = []
    this.#size = 0
    this.#head = ''
    this.#tail = Buffer.alloc(0)
    if (isOversized) return this.#listener.oversized(line)
    const text = (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)).toString('utf8')
    const trimmed = text.endsWith('\r') ? text.slice(0, -1) : text
    if (trimmed !== '') this.#listener.line(trimmed)
  }
}
