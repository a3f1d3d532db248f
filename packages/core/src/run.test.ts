import { Cancelled, InternalError, NotFound } from '@vmcp/domain'
import { recordingLogger, rejection, scriptedBackend } from '@vmcp/testing'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'

import { runPromise } from './run.js'
import { RunningVerbs } from './running-verbs.js'
import { BackendCall } from './verbs/backend-call.js'
import type { CallObserver, DecidedCall } from './verbs/backend-call.js'

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

describe('runPromise with a call that the verb decided on', () => {
  const logger = recordingLogger()

  it('resolves with what the call gives', async () => {
    const { call, decided } = scriptedCall()
    const outcome = runPromise(Context.empty(), { logger })(decided)
    call.observer?.succeeded('result')
    expect(await outcome).toBe('result')
  })

  it('rejects with Cancelled when its caller cancels it, and cancels the call once', async () => {
    const { call, decided } = scriptedCall()
    const running = new RunningVerbs()
    const controller = new AbortController()
    const outcome = rejection(runPromise(Context.empty(), { logger, running })(decided, { signal: controller.signal }))
    expect(running.size).toBe(1)
    controller.abort()
    expect(await outcome).toBeInstanceOf(Cancelled)
    running.stop()
    expect([call.cancelled, running.size]).toEqual([1, 0])
  })

  it('is over for RunningVerbs when the last one is, and can be stopped there', async () => {
    const [first, second] = [scriptedCall(), scriptedCall()]
    const running = new RunningVerbs()
    const run = runPromise(Context.empty(), { logger, running })
    const outcomes = [run(first.decided), rejection(run(second.decided))]
    let isIdle = false
    const idle = Effect.runPromise(running.idle).then(() => (isIdle = true))
    first.call.observer?.succeeded('result')
    expect(await outcomes[0]).toBe('result')
    expect(isIdle).toBe(false)
    running.stop()
    expect(await outcomes[1]).toBeInstanceOf(Cancelled)
    await idle
    expect(second.call.cancelled).toBe(1)
  })

  it('makes no call for a verb that was stopped before it had decided', async () => {
    const { call, decided } = scriptedCall()
    const running = new RunningVerbs()
    let decide = (): void => undefined
    const waiting = Effect.callback<void>((resume) => {
      decide = () => resume(Effect.void)
    })
    const verb = Effect.uninterruptible(Effect.andThen(waiting, decided))
    const outcome = rejection(runPromise(Context.empty(), { logger, running })(verb))
    running.stop()
    decide()
    expect(await outcome).toBeInstanceOf(Cancelled)
    expect([call.observer, running.size]).toEqual([undefined, 0])
  })
})

/** A verb that decides on a call, which the test ends. */
function scriptedCall() {
  const call = new ScriptedCall()
  return { call, decided: Effect.succeed<DecidedCall<string>>(call) }
}

class ScriptedCall extends BackendCall<never, string> {
  observer: CallObserver<string> | undefined
  cancelled = 0

  constructor() {
    const { client } = scriptedBackend({ id: 'b' })
    const clock = Effect.runSync(Effect.clockWith(Effect.succeed))
    super(
      { backendId: 'b', list: 'content', ask: () => undefined, read: () => 'result' },
      { client, circuit: undefined, clock, silenceMs: 1, totalMs: 1 },
      undefined,
    )
  }

  override start(observer: CallObserver<string>): void {
    this.observer = observer
  }

  override cancel(): void {
    this.cancelled += 1
  }
}
