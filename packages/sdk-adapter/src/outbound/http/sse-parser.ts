import { StringDecoder } from 'node:string_decoder'

/** One event of an event stream. */
export interface ServerSentEvent {
  /** `message` when the stream names none. */
  readonly type: string
  readonly data: string
  /** The last event id, if this event sets one. */
  readonly id?: string
}

/** What a stream tells its reader. */
export interface SseListener {
  event(event: ServerSentEvent): void
  /** The stream asks to wait this many milliseconds before a reconnection. */
  retry?(milliseconds: number): void
}

/**
 * An incremental parser of event streams (WHATWG HTML, "Server-sent events").
 * Bytes may be cut anywhere; a last event without its blank line is delivered by `end`.
 */
export class SseParser {
  readonly #listener: SseListener
  readonly #decoder = new StringDecoder('utf8')
  #parts: string[] = []
  #held = 0
  #afterReturn = false
  #started = false
  #data: string[] = []
  #type = ''
  #id: string | undefined

  constructor(listener: SseListener) {
    this.#listener = listener
  }

  /** Characters that are held until their event is complete. */
  get heldLength(): number {
    return this.#held
  }

  write(chunk: Uint8Array): void {
    this.#text(this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
  }

  end(): void {
    this.#text(this.#decoder.end())
    if (this.#parts.length > 0) this.#line('')
    this.#dispatch()
  }

  #text(decoded: string): void {
    if (decoded === '') return
    const text = this.#started || decoded.charCodeAt(0) !== 0xfeff ? decoded : decoded.slice(1)
    this.#started = true
    this.#held += text.length
    let start = this.#afterReturn && text.charCodeAt(0) === 10 ? 1 : 0
    this.#afterReturn = false
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code !== 10 && code !== 13) continue
      this.#line(text.slice(start, at))
      if (code === 13 && at + 1 === text.length) this.#afterReturn = true
      if (code === 13 && text.charCodeAt(at + 1) === 10) at += 1
      start = at + 1
    }
    if (start < text.length) this.#parts.push(text.slice(start))
  }

  #line(end: string): void {
    const line = this.#parts.length === 0 ? end : this.#parts.join('') + end
    this.#parts = []
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1)
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#type = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.#listener.retry?.(Number(value))
  }

  #dispatch(): void {
    const event: ServerSentEvent = {
      type: this.#type === '' ? 'message' : this.#type,
      data: this.#data.join('\n'),
      ...(this.#id !== undefined && { id: this.#id }),
    }
    const told = this.#data.length > 0 || this.#id !== undefined
    this.#data = []
    this.#type = ''
    this.#id = undefined
    this.#held = 0
    if (told) this.#listener.event(event)
  }
}
