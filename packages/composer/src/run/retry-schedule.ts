import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Random from 'effect/Random'
import * as Schedule from 'effect/Schedule'
import { limits } from '../limits.js'

/**
 * When to call again: at most 10 times and for 15 minutes. The wait grows by half each time, which ten times keep under 60
 * times the first, and each is spread by up to half of itself either way so that callers do not come back together.
 */
export function retrySchedule(
  retryCount: number,
  retryDelayMs: number = limits.retryDelayMs,
): Schedule.Schedule<Duration.Duration> {
  return Schedule.exponential(retryDelayMs, limits.retryGrowth).pipe(
    Schedule.modifyDelay(({ duration }) =>
      Effect.map(Random.nextBetween(0.5, 1.5), (spread) => Duration.times(duration, spread)),
    ),
    Schedule.upTo({ times: Math.min(retryCount, limits.retriesPerStep), duration: limits.retryElapsedMs }),
  )
}
