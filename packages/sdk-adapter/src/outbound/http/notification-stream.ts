import type { JsonObject } from '@vmcp/domain'
import { faultOf } from '../wire-failure.js'
import type { AnswerLimits } from './answer-reader.js'
import { EventStreamReader } from './answer-reader.js'
import type { HttpEndpoint } from './http-endpoint.js'

/** What the notification stream of a session needs. */
export interface NotificationStream {
  readonly endpoint: HttpEndpoint
  readonly limits: AnswerLimits
  readonly signal: AbortSignal
  headers(lastEventId: string | undefined): Promise<string[]>
  incoming(raw: JsonObject): void
  /** The session is gone. */
  lost(): void
  failed(error: unknown): void
}

const firstWaitMs = 1_000
const maxWaitMs = 30_000

/**
 * Keeps the GET stream of a 2025 session open until the signal aborts: it takes it up again after a loss, with a growing
 * wait, and gives up where the server has no such stream. Resolves when the stream is open, or its first attempt has failed.
 */
export function watchStream(stream: NotificationStream): Promise<void> {
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  let lastEventId: string | undefined
  let waitMs = firstWaitMs

  const open = async (): Promise<void> => {
    if (stream.signal.aborted) return
    const reader = new EventStreamReader(undefined, {
      limits: stream.limits,
      listener: { answer: () => {}, incoming: (_incoming, raw) => stream.incoming(raw) },
    })
    let status = 0
    try {
      const headers = await stream.headers(lastEventId)
      const request = { method: 'GET' as const, headers, signal: stream.signal, stream: true }
      const head = await stream.endpoint.send(request, (start) => {
        if (start.status === 200) waitMs = firstWaitMs
        settle()
        return start.status === 200 ? reader.sink : () => {}
      })
      status = head.status
    } catch (error) {
      settle()
      if (faultOf(error)?.kind === 'cancelled') return
      stream.failed(error)
    }
    lastEventId = reader.lastEventId ?? lastEventId
    if (status === 404) return stream.lost()
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return
    again(reader.retryMs ?? waitMs)
  }
  const again = (afterMs: number) => {
    setTimeout(() => void open(), Math.min(afterMs, maxWaitMs)).unref()
    waitMs = Math.min(waitMs * 2, maxWaitMs)
  }
  void open()
  return settled
}
