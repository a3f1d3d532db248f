import type { Logger } from '@vmcp/domain'

/** Something that goes on at a backend's client until it is stopped. */
export interface StoppableOptions {
  readonly backendId: string
  readonly logger: Logger
  /** Starts it, and gives what stops it; nothing when the client has no such method. */
  readonly start: () => (() => void) | undefined
}

/** Starts it, and gives what stops it. Both are the client's own code: when it throws, that is logged and goes no further. */
export function stoppable({ backendId, logger, start }: StoppableOptions): () => void {
  const guarded = <Result>(run: () => Result): Result | undefined => {
    try {
      return run()
    } catch {
      logger.warn('a backend client threw where it must not', { backend: backendId })
      return undefined
    }
  }
  const stop = guarded(start)
  return () => guarded(() => stop?.())
}
