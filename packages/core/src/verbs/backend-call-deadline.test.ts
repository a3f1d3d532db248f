import { BackendTimeout } from '@vmcp/domain'
import type { BackendCallOptions, CallToolResult, ClientChannel } from '@vmcp/domain'
import { fakeChannel, scriptedBackend, tool, untilAborted } from '@vmcp/testing'
import * as Clock from 'effect/Clock'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import type { TimeoutConfig } from '../core-config.js'
import { makeCore } from '../core.js'

type Answer = (options: BackendCallOptions) => Promise<CallToolResult>

/** Calls a tool that answers by script, on a clock that the test moves. */
function onTestClock(
  script: { readonly answer: Answer; readonly timeouts?: TimeoutConfig; readonly client?: ClientChannel },
  test: (call: { settled(): Promise<unknown>; pass(milliseconds: number): Effect.Effect<void> }) => Effect.Effect<void>,
): Promise<void> {
  const program = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const backend = scriptedBackend({
      id: 'b1',
      tools: [tool('slow')],
      on: { callTool: async (_, _request, options = {}) => script.answer(options) },
    })
    const vmcp = makeCore(
      { name: 'gateway', backends: [backend], ...(script.timeouts !== undefined && { timeouts: script.timeouts }) },
      Context.make(Clock.Clock, clock),
    )
    yield* Effect.promise(() => vmcp.listTools(null))
    const options = script.client === undefined ? {} : { client: script.client }
    const outcome = vmcp.callTool(null, { name: 'b1_slow' }, options).catch((error: unknown) => error)
    yield* Effect.promise(turn)
    yield* test({
      settled: () => outcome,
      pass: (milliseconds) => Effect.andThen(TestClock.adjust(milliseconds), Effect.promise(turn)),
    })
    yield* Effect.promise(() => vmcp.close())
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
}

/** Lets everything that is ready run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const hangs: Answer = (options) => untilAborted(options.signal)

describe('the deadline of a backend', () => {
  it('is 30 seconds, and then the backend is cancelled', async () => {
    let signal: AbortSignal | undefined
    const answer: Answer = (options) => {
      signal = options.signal
      return hangs(options)
    }
    await onTestClock({ answer }, ({ settled, pass }) =>
      Effect.gen(function* () {
        yield* pass(29_999)
        expect(signal?.aborted).toBe(false)
        yield* pass(1)
        expect(yield* Effect.promise(settled)).toEqual(new BackendTimeout('b1', 30_000))
        expect(signal?.aborted).toBe(true)
      }),
    )
  })

  it('can be set for one backend', async () => {
    await onTestClock({ answer: hangs, timeouts: { perBackendMs: { b1: 2_000 } } }, ({ settled, pass }) =>
      Effect.gen(function* () {
        yield* pass(2_000)
        expect(yield* Effect.promise(settled)).toEqual(new BackendTimeout('b1', 2_000))
      }),
    )
  })

  it('starts anew with each report of progress, up to the total', async () => {
    let report: (() => void) | undefined
    const client = fakeChannel()
    const answer: Answer = (options) => {
      report = () => options.client?.notify({ type: 'progress', progress: client.notifications.length })
      return hangs(options)
    }
    await onTestClock({ answer, client, timeouts: { defaultMs: 2_000, totalMs: 4_000 } }, ({ settled, pass }) =>
      Effect.gen(function* () {
        yield* pass(1_500)
        report?.()
        yield* pass(1_500)
        report?.()
        yield* pass(999)
        expect(client.notifications).toHaveLength(2)
        yield* pass(1)
        expect(yield* Effect.promise(settled)).toEqual(new BackendTimeout('b1', 4_000))
      }),
    )
  })

  it('does not run while the user is being asked', async () => {
    let accept: (() => void) | undefined
    const client = fakeChannel({
      elicit: () => new Promise((resolve) => (accept = () => resolve({ action: 'accept', content: {} }))),
    })
    const answer: Answer = async (options) => {
      const question = { message: 'Sure?', requestedSchema: { type: 'object' } }
      const given = await options.client?.elicitation?.requestElicitation(question)
      return { content: [], structuredContent: { action: given?.action } }
    }
    await onTestClock({ answer, client, timeouts: { defaultMs: 1_000 } }, ({ settled, pass }) =>
      Effect.gen(function* () {
        yield* pass(120_000)
        accept?.()
        expect(yield* Effect.promise(settled)).toMatchObject({ structuredContent: { action: 'accept' } })
      }),
    )
  })
})
