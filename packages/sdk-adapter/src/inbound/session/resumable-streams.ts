import type { EventStream } from '../exchange.js'

/** An event stream that outlives its connection. */
export interface ResumableStream {
  send(data: string): void
  /** Ends it for good: whoever resumes it later gets the rest and then its end. */
  end(): void
}

interface LoggedEvent {
  readonly stream: Stream
  readonly position: number
  readonly data: string
}

interface Stream {
  readonly name: string
  sent: number
  ended: boolean
  connection: EventStream | undefined
}

/** Characters kept for one session, so that idle sessions stay cheap. A larger event is sent but not kept. */
const mostKept = 64 * 1024

/**
 * The streams of one session and their latest events, so that a client that lost its connection can resume where it was
 * (2025-11-25, "Resumability and Redelivery"). An event belongs to one stream and is replayed on no other.
 */
export class ResumableStreams {
  readonly #streams = new Map<string, Stream>()
  readonly #log: LoggedEvent[] = []
  #kept = 0
  #count = 0

  /** Opens a stream over `connection`. A `primed` one first names a place to resume from. */
  open(connection: EventStream, options: { readonly primed: boolean }): ResumableStream {
    this.#count += 1
    const stream: Stream = { name: String(this.#count), sent: 0, ended: false, connection }
    this.#streams.set(stream.name, stream)
    if (options.primed) connection.send({ id: `${stream.name}_0`, data: '' })
    return {
      send: (data) => {
        if (stream.ended) return
        stream.sent += 1
        this.#keep({ stream, position: stream.sent, data })
        stream.connection?.send({ id: `${stream.name}_${stream.sent}`, data })
      },
      end: () => {
        if (stream.ended) return
        stream.ended = true
        stream.connection?.end()
        this.#forget(stream)
      },
    }
  }

  /** Replays what a stream sent after the event `lastEventId`, and carries on with it. False for an unknown id. */
  resume(lastEventId: string, connect: () => EventStream): boolean {
    const [name = '', position = ''] = lastEventId.split('_')
    const stream = this.#streams.get(name)
    if (stream === undefined || !/^\d{1,15}$/.test(position)) return false
    stream.connection?.end()
    const connection = connect()
    for (const event of this.#log) {
      if (event.stream !== stream || event.position <= Number(position)) continue
      connection.send({ id: `${name}_${event.position}`, data: event.data })
    }
    if (stream.ended) connection.end()
    else stream.connection = connection
    return true
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of this.#streams.values()) {
      stream.ended = true
      stream.connection?.end()
    }
    this.#streams.clear()
    this.#log.length = 0
  }

  #keep(event: LoggedEvent): void {
    this.#log.push(event)
    this.#kept += event.data.length
    while (this.#kept > mostKept) {
      const oldest = this.#log.shift()
      if (oldest === undefined) return
      this.#kept -= oldest.data.length
      this.#forget(oldest.stream)
    }
  }

  /** Drops an ended stream of which nothing is left to replay. */
  #forget(stream: Stream): void {
    if (stream.ended && !this.#log.some((event) => event.stream === stream)) this.#streams.delete(stream.name)
  }
}
