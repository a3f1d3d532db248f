import { BackendTimeout, BackendUnavailable } from '@vmcp/domain'
import { rejection, scriptedBackend, tool, untilAborted } from '@vmcp/testing'
import * as Clock from 'effect/Clock'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from './core-config.js'
import { makeCore } from './core.js'

const day = 86_400_000

interface Stage {
  readonly core: ReturnType<typeof makeCore>
  /** Lets time go by, and everything that is due happen. */
  pass(milliseconds: number): Promise<void>
  /** Sets the wall clock back by a day, as an operator or a time server may. */
  setBack(): void
}

function onTestClock(config: Omit<CoreConfig, 'name'>, test: (stage: Stage) => Promise<void>): Promise<void> {
  const program = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const surroundings = yield* Effect.context<never>()
    let offset = 0
    const wallMs = () => clock.currentTimeMillisUnsafe() + offset
    const wallNs = () => clock.currentTimeNanosUnsafe() + BigInt(offset) * 1_000_000n
    const movable: Clock.Clock = {
      ...clock,
      currentTimeMillisUnsafe: wallMs,
      currentTimeMillis: Effect.sync(wallMs),
      currentTimeNanosUnsafe: wallNs,
      currentTimeNanos: Effect.sync(wallNs),
    }
    const core = makeCore({ name: 'gateway', ...config }, Context.make(Clock.Clock, movable))
    const pass = async (milliseconds: number): Promise<void> => {
      await settle()
      await Effect.runPromiseWith(surroundings)(TestClock.adjust(milliseconds))
      await settle()
    }
    yield* Effect.promise(() => test({ core, pass, setBack: () => (offset -= day) }))
    yield* Effect.promise(() => core.close())
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
}

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('a wall clock that is set back', () => {
  it('does not keep a view longer than its time to live', async () => {
    const backend = scriptedBackend({ id: 'b1', tools: [tool('old')] })
    await onTestClock({ backends: [backend] }, async ({ core, pass, setBack }) => {
      await core.listTools(null)
      backend.offer({ tools: [tool('new')] })
      setBack()
      await pass(29_999)
      expect(await core.listTools(null)).toMatchObject([{ name: 'b1_old' }])
      await pass(1)
      expect(await core.listTools(null)).toMatchObject([{ name: 'b1_new' }])
    })
  })

  it('does not give a silent backend more time', async () => {
    const backend = scriptedBackend({
      id: 'b1',
      tools: [tool('slow')],
      on: { callTool: (_, _request, options) => untilAborted(options?.signal) },
    })
    await onTestClock({ backends: [backend] }, async ({ core, pass, setBack }) => {
      const failure = rejection(core.callTool(null, { name: 'b1_slow' }))
      await pass(1_000)
      setBack()
      await pass(29_000)
      expect(await failure).toEqual(new BackendTimeout('b1', 30_000))
    })
  })

  it('does not keep a circuit open', async () => {
    let isUp = false
    const backend = scriptedBackend({
      id: 'b1',
      tools: [tool('t')],
      on: {
        callTool: async () => {
          if (!isUp) throw new BackendUnavailable('b1', 'unreachable')
          return { content: [] }
        },
      },
    })
    const health = { checkIntervalMs: 3_600_000, circuitBreaker: { failureThreshold: 1, timeoutMs: 10_000 } }
    await onTestClock({ backends: [backend], health }, async ({ core, pass, setBack }) => {
      await pass(0)
      await rejection(core.callTool(null, { name: 'b1_t' }))
      expect(await rejection(core.callTool(null, { name: 'b1_t' }))).toMatchObject({ reason: 'circuit-open' })
      isUp = true
      setBack()
      await pass(10_000)
      expect(await core.callTool(null, { name: 'b1_t' })).toMatchObject({ backendId: 'b1' })
    })
  })
})
