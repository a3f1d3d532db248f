import { NotFound } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { RunStore } from './run-store.js'
import { RunState } from './run/run-state.js'

function runOf(runId: string) {
  return { workflow: 'wf', state: new RunState(runId, 0), interrupt() {} }
}

describe('RunStore', () => {
  it('CORE-S01 gives copies: what the run does later does not change them', () => {
    const store = new RunStore()
    const run = runOf('r')
    run.state.record({ stepId: 'step1', status: 'running', retryCount: 0, startedAt: 0 })
    store.start(run)

    const before = store.status('r')
    run.state.record({ stepId: 'step1', status: 'completed', retryCount: 0, startedAt: 0 })
    run.state.record({ stepId: 'step2', status: 'running', retryCount: 0, startedAt: 0 })

    expect(before.steps).toEqual([{ stepId: 'step1', status: 'running' }])
  })

  it('CORE-S02 does not know a run that never was', () => {
    expect(() => new RunStore().status('non-existent')).toThrow(NotFound)
  })

  // Active are those that run or wait for their caller; a run that is pending does not exist here.
  it('CORE-S03 CORE-S05 lists every run with its status', () => {
    const store = new RunStore()
    for (const id of ['running', 'waiting', 'completed', 'failed', 'cancelled', 'timed_out']) store.start(runOf(id))
    store.end('waiting', 'waiting_for_elicitation')
    store.end('completed', 'completed')
    store.end('failed', 'failed')
    store.end('cancelled', 'cancelled')
    store.end('timed_out', 'timed_out')

    expect(store.all().map(({ runId, status }) => [runId, status])).toEqual([
      ['running', 'running'],
      ['waiting', 'waiting_for_elicitation'],
      ['completed', 'completed'],
      ['failed', 'failed'],
      ['cancelled', 'cancelled'],
      ['timed_out', 'timed_out'],
    ])
  })

  it('CORE-S04 forgets runs that ended an hour ago, and never one that runs', () => {
    let now = 0
    const store = new RunStore(() => now)
    store.start(runOf('ended'))
    store.start(runOf('running'))
    store.end('ended', 'completed')

    now = 3_600_000
    expect(store.status('ended').status).toBe('completed')
    now = 3_600_001

    expect(() => store.status('ended')).toThrow(NotFound)
    expect(store.status('running').status).toBe('running')
  })

  it('keeps the last thousand', () => {
    const store = new RunStore()
    for (let index = 0; index < 1001; index++) {
      store.start(runOf(`r${index}`))
      store.end(`r${index}`, 'completed')
    }

    expect(store.all()).toHaveLength(1000)
    expect(() => store.status('r0')).toThrow(NotFound)
  })

  it('remembers that a run was cancelled while it waited, however many ended since', () => {
    const store = new RunStore()
    store.start(runOf('r'))
    store.end('r', 'waiting_for_elicitation')

    store.cancel('r')
    for (let index = 0; index < 1001; index++) {
      store.start(runOf(`r${index}`))
      store.end(`r${index}`, 'completed')
    }

    expect(store.isCancelled('r')).toBe(true)
    expect(store.isCancelled('r0')).toBe(false)
  })
})
