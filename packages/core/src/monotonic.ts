import type * as Clock from 'effect/Clock'

/** Milliseconds that only run forward, whatever is done to the wall clock. They mean nothing outside this process. */
export function monotonicMs(clock: Clock.Clock): number {
  return Number(clock.monotonicTimeNanosUnsafe()) / 1e6
}
