import type { RawAnswer, RawSession } from '@vmcp/testing'
import { expect } from 'vitest'
import { textOf } from './backends.js'

/** The promise is 100 ms; a machine that does other things as well gets more. What goes wrong here waits for a minute. */
export const atOnceMs = 2_000
/** 99 of 100 calls of a backend that is well. */
export const quickMs = 1_000

/** How to wait for what happens soon. */
export const soon = { interval: 5, timeout: 20_000 }

/** How long a call took, and what came of it. */
export async function timed(call: Promise<RawAnswer>): Promise<{ readonly ms: number; readonly answer: RawAnswer }> {
  const started = performance.now()
  const answer = await call
  return { ms: performance.now() - started, answer }
}

/** True for an error and for a result that says that the tool failed. */
export function isFailure({ result, error }: RawAnswer): boolean {
  return error !== undefined || result['isError'] === true
}

/** Calls a tool again and again, one call at a time, until it is stopped. */
export function keepCalling(client: RawSession, name: string) {
  const times: number[] = []
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      const { ms, answer } = await timed(client.call(name))
      expect(textOf(answer.result)).toBe('alive')
      times.push(ms)
    }
  })()
  return {
    times,
    stop: async () => {
      stopped = true
      await running
      return times.sort((left, right) => left - right)[Math.floor(times.length * 0.99)] ?? 0
    },
  }
}
