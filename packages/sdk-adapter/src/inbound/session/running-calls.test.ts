import type { Cancelled } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import type { RunningCall } from './running-calls.js'
import { RunningCalls } from './running-calls.js'

describe('RunningCalls', () => {
  it('forgets the very call that ended, wherever it is', () => {
    const { running, calls, stopped } = setUp(['a', 'b', 'c', 'd'])

    running.remove(calls.b)
    running.remove(calls.d)
    running.remove(calls.a)

    expect(running.count).toBe(1)
    running.close()
    expect(stopped).toEqual(['c'])
  })

  it('keeps each call findable while others come and go', () => {
    const { running, calls, stopped, start } = setUp(['a', 'b', 'c'])

    running.remove(calls.a)
    start('e')
    running.remove(calls.c)
    for (const id of ['a', 'b', 'c', 'e']) running.cancel(id)

    expect(running.count).toBe(2)
    expect(stopped.toSorted()).toEqual(['b', 'e'])
  })

  it('stops every call of an id for its client, without a reason, and of no other', () => {
    const { running, stopped, reasons, start } = setUp(['a', 'b'])
    start('a')

    running.cancel('a')
    running.cancel('unknown')
    running.cancel(undefined)

    expect(stopped).toEqual(['a', 'a'])
    expect(reasons).toEqual([undefined, undefined])
  })

  it('stops everything with a reason when the session ends, also when a call ends by that', () => {
    const { running, stopped, reasons } = setUp(['a', 'b', 'c'], (call, all) => all.remove(call))

    running.close()

    expect(stopped).toEqual(['a', 'b', 'c'])
    expect(reasons.map((reason) => reason?.message)).toEqual(new Array(3).fill('the session ended'))
    expect(running.count).toBe(0)
  })
})

function setUp<Id extends string>(
  ids: readonly Id[],
  onStop: (call: RunningCall, all: RunningCalls) => void = () => {},
) {
  const running = new RunningCalls()
  const stopped: string[] = []
  const reasons: (Cancelled | undefined)[] = []
  const start = (id: string): RunningCall => {
    const call: RunningCall = {
      id,
      place: -1,
      stop: (reason) => {
        stopped.push(id)
        reasons.push(reason)
        onStop(call, running)
      },
    }
    running.add(call)
    return call
  }
  const calls = Object.fromEntries(ids.map((id) => [id, start(id)])) as Record<Id, RunningCall>
  return { running, calls, stopped, reasons, start }
}
