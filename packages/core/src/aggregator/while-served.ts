import { BackendUnavailable } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { HealthShape } from '../health/health.js'

/**
 * Asks a backend for as long as it is served. One that hangs is found out by its health check before its deadline has
 * passed, and whoever waits for a list of many backends is not held up by it for longer than that.
 */
export function whileServed<Answer, Failure>(
  health: HealthShape,
  backendId: string,
  asking: Effect.Effect<Answer, Failure>,
): Effect.Effect<Answer, Failure | BackendUnavailable> {
  const untilUnserved = Effect.callback<never, BackendUnavailable>((resume) => {
    const stop = health.onChange((change) => {
      if (change.backendId !== backendId || change.serves) return
      stop()
      resume(Effect.fail(new BackendUnavailable(backendId, 'unhealthy', { detail: 'its health check failed' })))
    })
    return Effect.sync(stop)
  })
  return Effect.raceFirst(asking, untilUnserved)
}
