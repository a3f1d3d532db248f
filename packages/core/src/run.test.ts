import { Cancelled, InternalError, NotFound } from '@vmcp/domain'
import { recordingLogger, rejection } from '@vmcp/testing'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'

import { runPromise, RunningVerbs } from './run.js'

describe('runPromise', () => {
  const logger = recordingLogger()
  const run = runPromise(Context.empty(), { logger })

  it('resolves with the value of the effect', async () => {
    expect(await run(Effect.succeed(1))).toBe(1)
  })

  it('rejects with the error of the effect itself', async () => {
    const error = new NotFound('tool', 'x')
    expect(await rejection(run(Effect.fail(error)))).toBe(error)
  })

  it('rejects with Cancelled, and interrupts, when the signal aborts', async () => {
    const controller = new AbortController()
    let interrupted = false
    const effect = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))
    const outcome = rejection(run(effect, { signal: controller.signal }))
    controller.abort('why')
    const error = await outcome
    expect(error).toBeInstanceOf(Cancelled)
    expect(error).toMatchObject({ cause: 'why' })
    expect(interrupted).toBe(true)
  })

  it('does not start for a signal that has aborted', async () => {
    let started = false
    const outcome = rejection(
      run(
        Effect.sync(() => (started = true)),
        { signal: AbortSignal.abort('why') },
      ),
    )
    expect(await outcome).toMatchObject({ _tag: 'Cancelled', cause: 'why' })
    expect(started).toBe(false)
  })

  it('rejects with InternalError for a defect, says nothing of it, and logs it', async () => {
    const defect = new TypeError('x is not a function')
    const error = await rejection(run(Effect.die(defect)))
    expect(error).toBeInstanceOf(InternalError)
    expect(error).toMatchObject({ message: 'internal error', cause: defect })
    expect(logger.lines).toMatchObject([{ level: 'error' }])
    expect(logger.text()).toContain('x is not a function')
  })

  it('holds the verb while it runs', async () => {
    const running = new RunningVerbs()
    const controller = new AbortController()
    const outcome = rejection(
      runPromise(Context.empty(), { logger, running })(Effect.never, { signal: controller.signal }),
    )
    expect(running.size).toBe(1)
    controller.abort()
    await outcome
    expect(running.size).toBe(0)
  })
})
