import { BackendUnavailable } from '@vmcp/domain'
import type { VmcpEvent } from '@vmcp/domain'
import { recordingLogger, scriptedBackend, tool } from '@vmcp/testing'
import * as Clock from 'effect/Clock'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from './core-config.js'
import { makeCore } from './core.js'

type Core = ReturnType<typeof makeCore>

/** A core on a clock that the test moves. */
function onTestClock(
  config: Omit<CoreConfig, 'name'>,
  test: (core: Core, pass: (milliseconds: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const program = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const surroundings = yield* Effect.context<never>()
    const core = makeCore({ name: 'gateway', ...config }, Context.make(Clock.Clock, clock))
    const pass = async (milliseconds: number): Promise<void> => {
      await settle()
      await Effect.runPromiseWith(surroundings)(TestClock.adjust(milliseconds))
      await settle()
    }
    yield* Effect.promise(() => test(core, pass))
    yield* Effect.promise(() => core.close())
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
}

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A backend that can be switched off. */
function switchable(id: string) {
  const state = { up: true }
  const answer = async (): Promise<void> => {
    if (!state.up) throw new BackendUnavailable(id, 'unreachable')
  }
  const backend = scriptedBackend({
    id,
    tools: [tool('t')],
    on: {
      probe: answer,
      callTool: async () => {
        await answer()
        return { content: [] }
      },
    },
  })
  return { backend, state }
}

describe('a backend that answers late', () => {
  it('is missing from the first list, and joins it with a notification', async () => {
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const late = scriptedBackend({
      id: 'late',
      tools: [tool('t')],
      on: { describe: () => answered.then(() => ({ capabilities: { tools: {} } })) },
    })
    const quick = scriptedBackend({ id: 'quick', tools: [tool('t')] })
    const config = { backends: [late, quick], timeouts: { firstAnswerMs: 500 } }
    await onTestClock(config, async (core, pass) => {
      const heard: VmcpEvent[] = []
      core.subscribe(null, (event) => heard.push(event))
      const names = core.listTools(null).then((tools) => tools.map(({ name }) => name))
      await pass(500)
      expect(await names).toEqual(['quick_t'])
      await pass(5_000)
      expect(heard).toEqual([])
      answer()
      await pass(200)
      expect(heard).toEqual([{ type: 'list-changed', list: 'tools' }])
      expect((await core.listTools(null)).map(({ name }) => name)).toEqual(['late_t', 'quick_t'])
    })
  })
})

describe('health and the view', () => {
  it('CORE-C22 CORE-C23 CORE-C24 leaves an unhealthy backend out, tells so, and takes it in again', async () => {
    const sound = switchable('sound')
    const shaky = switchable('shaky')
    const health = { checkIntervalMs: 1_000, unhealthyThreshold: 1 }
    await onTestClock({ backends: [sound.backend, shaky.backend], health }, async (core, pass) => {
      const heard: VmcpEvent[] = []
      const names = async () => (await core.listTools(null)).map(({ name }) => name)
      core.subscribe(null, (event) => heard.push(event))
      await pass(0)
      expect(await names()).toEqual(['shaky_t', 'sound_t'])
      shaky.state.up = false
      await pass(2_500)
      expect(await names()).toEqual(['sound_t'])
      expect(core.listAllBackends()).toMatchObject([{ id: 'shaky', health: 'unhealthy' }, { id: 'sound' }])
      expect(heard).toEqual([{ type: 'list-changed', list: 'tools' }])
      shaky.state.up = true
      await pass(5_000)
      expect(await names()).toEqual(['shaky_t', 'sound_t'])
      expect(heard).toHaveLength(2)
    })
  })

  it('tells in the log how the backends do as a whole, once for each change', async () => {
    const logger = recordingLogger()
    const [sound, shaky] = [switchable('sound'), switchable('shaky')]
    const health = { checkIntervalMs: 1_000, unhealthyThreshold: 1 }
    await onTestClock({ backends: [sound.backend, shaky.backend], health, logger }, async (_core, pass) => {
      await pass(3_000)
      shaky.state.up = false
      await pass(3_000)
      const lines = logger.lines.filter(({ message }) => message.startsWith('health of the backends: '))
      expect(lines.map(({ level, message }) => `${level} ${message.slice('health of the backends: '.length)}`)).toEqual(
        ['info All 2 backends healthy', 'warn 1/2 backends routable (0 degraded, 1 unhealthy, 0 unknown)'],
      )
    })
  })

  it('AGG-Q06 serves degraded backends, and neither unhealthy ones nor those that have only failed', async () => {
    const down = (id: string) => () => Promise.reject(new BackendUnavailable(id, 'unreachable'))
    const after = (id: string, failures: number, then: () => Promise<void>) => {
      let probes = 0
      const probe = () => (++probes > failures ? then() : down(id)())
      return scriptedBackend({ id, tools: [tool('t')], on: { probe } })
    }
    const backends = [
      after('b1', 0, async () => undefined),
      after('b2', 0, down('b2')),
      after('b3', 2, async () => undefined),
      after('b4', 2, () => new Promise(() => undefined)),
    ]
    await onTestClock({ backends, health: { checkIntervalMs: 1_000 } }, async (core, pass) => {
      for (let round = 0; round < 3; round += 1) await pass(round === 0 ? 0 : 1_000)
      expect(core.listAllBackends().map(({ health }) => health)).toEqual([
        'healthy',
        'unhealthy',
        'degraded',
        'unknown',
      ])
      expect((await core.listTools(null)).map(({ name }) => name)).toEqual(['b1_t', 'b3_t'])
    })
  })

  // The reference does not serve a backend whose health is not known; we do until its first probe has ended, so that a
  // gateway answers from its first moment.
  it('CORE-C23 serves a backend that has not been probed yet', async () => {
    const { backend } = switchable('new')
    await onTestClock({ backends: [backend], health: {} }, async (core) => {
      expect((await core.listTools(null)).map(({ name }) => name)).toEqual(['new_t'])
    })
  })
})

describe('the circuit breaker', () => {
  it('fails calls at once when it is open, and lets one through later', async () => {
    const { backend, state } = switchable('b1')
    const health = { checkIntervalMs: 3_600_000, circuitBreaker: { failureThreshold: 2, timeoutMs: 10_000 } }
    await onTestClock({ backends: [backend], health }, async (core, pass) => {
      await core.listTools(null)
      await pass(0)
      state.up = false
      const call = () =>
        core.callTool(null, { name: 'b1_t' }).then(
          () => 'answered',
          (error: unknown) => (error instanceof BackendUnavailable ? error.reason : 'other'),
        )
      expect([await call(), await call(), await call()]).toEqual(['unreachable', 'unreachable', 'circuit-open'])
      expect(backend.callsOf('callTool')).toHaveLength(2)
      const explanation = await core.explain(null, { kind: 'tool', name: 'b1_t' })
      expect(explanation).toMatchObject({ listed: true, reachable: false })
      expect(explanation.text).toContain('the circuit breaker of backend b1 is open')
      state.up = true
      await pass(10_000)
      expect(await call()).toBe('answered')
    })
  })
})
