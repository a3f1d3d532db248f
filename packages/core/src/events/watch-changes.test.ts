import { Identity } from '@vmcp/domain'
import type { VMCP, VmcpEvent, VmcpEvents } from '@vmcp/domain'
import { recordingLogger, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import type { ScriptedBackend } from '@vmcp/testing'
import * as Clock from 'effect/Clock'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from '../core-config.js'
import { makeCore } from '../core.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })
const bob = new Identity({ issuer: 'test', subject: 'bob', claims: { sub: 'bob' } })
const toolsChanged: VmcpEvent = { type: 'list-changed', list: 'tools' }

interface Stage {
  readonly vmcp: VMCP & VmcpEvents
  /** Lets time go by, and everything that is due happen. */
  pass(milliseconds: number): Promise<void>
}

/** A core on a clock that the test moves. */
function onTestClock(
  backends: readonly ScriptedBackend[],
  config: Partial<CoreConfig>,
  test: (stage: Stage) => Promise<void>,
): Promise<void> {
  const program = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const surroundings = yield* Effect.context<never>()
    const vmcp = makeCore({ name: 'gateway', backends, ...config }, Context.make(Clock.Clock, clock))
    const pass = async (milliseconds: number): Promise<void> => {
      await settle()
      await Effect.runPromiseWith(surroundings)(TestClock.adjust(milliseconds))
      await settle()
    }
    yield* Effect.promise(() => test({ vmcp, pass }))
    yield* Effect.promise(() => vmcp.close())
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
}

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function hearing(vmcp: VmcpEvents, identity: Identity | null, resources?: readonly string[]) {
  const heard: VmcpEvent[] = []
  const stop = vmcp.subscribe(identity, (event) => heard.push(event), resources === undefined ? {} : { resources })
  return { heard, stop }
}

describe('subscribe', () => {
  it('case 26 tells once of a new tool, and the next list has it', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('old')], prompts: [] })
    await onTestClock([b1], {}, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice)
      await pass(0)
      b1.offer({ tools: [tool('old'), tool('new')], prompts: [] })
      b1.emit({ type: 'list-changed', list: 'tools' })
      await pass(1_000)
      expect(heard).toEqual([toolsChanged])
      expect((await vmcp.listTools(alice)).map(({ name }) => name)).toEqual(['b1_new', 'b1_old'])
      await pass(60_000)
      expect(heard).toEqual([toolsChanged])
    })
  })

  it('case 26 lists a backend at most twice for 200 notifications in a second', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('old')] })
    await onTestClock([b1], {}, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice)
      await pass(0)
      const before = b1.callsOf('listTools').length
      b1.offer({ tools: [tool('new')] })
      for (let notice = 0; notice < 40; notice += 1) {
        for (let burst = 0; burst < 5; burst += 1) b1.emit({ type: 'list-changed', list: 'tools' })
        await pass(25)
      }
      await pass(5_000)
      expect(heard).toEqual([toolsChanged])
      expect(b1.callsOf('listTools').length - before).toBeLessThanOrEqual(2)
    })
  })

  it('case 26 says nothing without a difference', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('same')] })
    await onTestClock([b1], {}, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice)
      await pass(0)
      b1.emit({ type: 'list-changed', list: 'tools' })
      await pass(5_000)
      expect(heard).toEqual([])
    })
  })

  it('case 26 does not go round in circles with a backend that notifies when it is listed', async () => {
    const b2: ScriptedBackend = scriptedBackend({
      id: 'b2',
      tools: [tool('t')],
      on: {
        listTools: async () => {
          b2.emit({ type: 'list-changed', list: 'tools' })
          return { items: [tool('t')] }
        },
      },
    })
    await onTestClock([b2], {}, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice)
      for (let second = 0; second < 60; second += 1) await pass(1_000)
      expect(heard).toEqual([])
      expect(b2.callsOf('listTools').length).toBeLessThan(12)
    })
  })

  it('tells only those whose list differs', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('shared')] })
    const policies = [
      'permit(principal, action, resource == Tool::"b1_shared");',
      'permit(principal == Client::"alice", action, resource == Tool::"b1_private");',
    ]
    await onTestClock([b1], { authorization: { type: 'cedar', policies } }, async ({ vmcp, pass }) => {
      const forAlice = hearing(vmcp, alice)
      const forBob = hearing(vmcp, bob)
      await pass(0)
      b1.offer({ tools: [tool('shared'), tool('private')] })
      b1.emit({ type: 'list-changed', list: 'tools' })
      await pass(1_000)
      expect(forAlice.heard).toEqual([toolsChanged])
      expect(forBob.heard).toEqual([])
    })
  })

  // The reference tells of additions only.
  it.each([
    ['is gone', []],
    ['has another description', [tool('t', { description: 'new' })]],
    ['has another schema', [tool('t', { inputSchema: { type: 'object', required: ['a'] } })]],
  ])('tells of a tool that %s', async (_, tools) => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('t')] })
    await onTestClock([b1], {}, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice)
      await pass(0)
      b1.offer({ tools })
      b1.emit({ type: 'list-changed', list: 'tools' })
      await pass(1_000)
      expect(heard).toEqual([toolsChanged])
    })
  })

  it('names the list that differs, whatever list the backend named', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [], resources: [] })
    await onTestClock([b1], {}, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice)
      await pass(0)
      b1.offer({ tools: [], resources: [], templates: [template('file:///{a}')] })
      b1.emit({ type: 'list-changed', list: 'tools' })
      await pass(1_000)
      expect(heard).toEqual([{ type: 'list-changed', list: 'resources' }])
    })
  })

  it('reports updates of resources that were asked for and may be read', async () => {
    const b1 = scriptedBackend({
      id: 'b1',
      resources: [resource('file://a'), resource('file://b'), resource('file://secret')],
    })
    const policies = [
      'permit(principal, action, resource);',
      'forbid(principal, action, resource == Resource::"file://secret");',
    ]
    await onTestClock([b1], { authorization: { type: 'cedar', policies } }, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice, ['file://a', 'file://secret'])
      for (const uri of ['file://a', 'file://b', 'file://secret']) b1.emit({ type: 'resource-updated', uri })
      await pass(0)
      expect(heard).toEqual([{ type: 'resource-updated', uri: 'file://a' }])
    })
  })

  it('has the backend watch what was asked for and may be read, as long as somebody listens', async () => {
    const b1 = scriptedBackend({ id: 'b1', resources: [resource('file://a'), resource('file://secret')] })
    const policies = [
      'permit(principal, action, resource);',
      'forbid(principal, action, resource == Resource::"file://secret");',
    ]
    await onTestClock([b1], { authorization: { type: 'cedar', policies } }, async ({ vmcp, pass }) => {
      const first = hearing(vmcp, alice, ['file://a', 'file://secret', 'file://later'])
      hearing(vmcp, bob, [])
      await pass(0)
      expect(b1.watched()).toEqual(['file://a'])
      b1.offer({ resources: [resource('file://a'), resource('file://later')] })
      b1.emit({ type: 'list-changed', list: 'resources' })
      await pass(1_000)
      expect(b1.watched()).toEqual(['file://a', 'file://later'])
      first.stop()
      expect(b1.watched()).toEqual([])
    })
  })

  it('does not take the update of a backend that does not serve the resource', async () => {
    const b1 = scriptedBackend({ id: 'b1', resources: [resource('file://a')] })
    const b2 = scriptedBackend({ id: 'b2', resources: [resource('file://a')] })
    await onTestClock([b1, b2], {}, async ({ vmcp, pass }) => {
      const { heard } = hearing(vmcp, alice, ['file://a'])
      b2.emit({ type: 'resource-updated', uri: 'file://a' })
      await pass(0)
      expect(heard).toEqual([])
    })
  })

  it('tells nothing more once it was stopped, or the core closed', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('old')] })
    await onTestClock([b1], {}, async ({ vmcp, pass }) => {
      const { heard, stop } = hearing(vmcp, alice)
      await pass(0)
      stop()
      b1.offer({ tools: [] })
      b1.emit({ type: 'list-changed', list: 'tools' })
      await pass(1_000)
      expect(heard).toEqual([])
      expect(b1.subscribers()).toBe(1)
      await vmcp.close()
      expect(b1.subscribers()).toBe(0)
    })
  })

  it('goes on when a listener throws, and logs that', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('old')] })
    const logger = recordingLogger()
    await onTestClock([b1], { logger }, async ({ vmcp, pass }) => {
      vmcp.subscribe(alice, () => {
        throw new Error('listener')
      })
      const { heard } = hearing(vmcp, bob)
      await pass(0)
      b1.offer({ tools: [tool('new')] })
      b1.emit({ type: 'list-changed', list: 'tools' })
      await pass(1_000)
      expect(heard).toEqual([toolsChanged])
      expect(logger.lines.map(({ message }) => message)).toContain('a listener of events threw')
    })
  })
})
