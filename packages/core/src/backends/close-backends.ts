import type { Backend, Logger } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

/** Milliseconds for the connections to end. A client promises to be quicker. */
const closeMs = 5_000

/** Closes the client of every backend, all at once. One that fails or hangs is logged and does not hold up the others. */
export function closeBackends(backends: readonly Backend[], logger: Logger): Effect.Effect<void> {
  return Effect.forEach(
    backends,
    ({ id, client }) =>
      Effect.tryPromise(() => client.close()).pipe(
        Effect.timeout(closeMs),
        Effect.catch(() => Effect.sync(() => logger.warn('a backend did not close', { backend: id }))),
      ),
    { concurrency: 'unbounded', discard: true },
  )
}
