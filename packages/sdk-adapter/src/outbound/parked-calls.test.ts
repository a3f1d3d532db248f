import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Identity } from '@vmcp/domain'
import { isParkedState, ParkedCalls } from './parked-calls.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const owner = { identity: new Identity({ issuer: 'i', subject: 'ada' }), method: 'tools/call', subject: 'ask' }

function call() {
  const state = { ended: false }
  return { state, end: () => void (state.ended = true) }
}

describe('ParkedCalls', () => {
  it('gives a call back to its owner, once', () => {
    const parked = new ParkedCalls({ maxCalls: 2, maxCallsPerCaller: 2, ttlMs: 1_000 })
    const held = call()
    const state = parked.park(held, owner)
    expect(isParkedState(state)).toBe(true)
    expect(parked.take(state, owner)).toBe(held)
    expect(() => parked.take(state, owner)).toThrow('invalid or expired requestState')
  })

  it('keeps the call for its owner when somebody else tries', () => {
    const parked = new ParkedCalls({ maxCalls: 2, maxCallsPerCaller: 2, ttlMs: 1_000 })
    const state = parked.park(call(), owner)
    expect(() => parked.take(state, { ...owner, identity: null })).toThrow('invalid or expired requestState')
    expect(parked.take(state, owner)).toBeDefined()
  })

  it('gives a call up after its time', () => {
    const parked = new ParkedCalls({ maxCalls: 2, maxCallsPerCaller: 2, ttlMs: 1_000 })
    const held = call()
    const state = parked.park(held, owner)
    vi.advanceTimersByTime(1_000)
    expect(held.state.ended).toBe(true)
    expect(() => parked.take(state, owner)).toThrow('invalid or expired requestState')
  })

  it('has no room beyond its limit', () => {
    const parked = new ParkedCalls({ maxCalls: 1, maxCallsPerCaller: 1, ttlMs: 1_000 })
    expect(parked.hasRoom(null)).toBe(true)
    parked.park(call(), owner)
    expect(parked.hasRoom(null)).toBe(false)
  })

  it('lets no caller take the room of the others', () => {
    const parked = new ParkedCalls({ maxCalls: 10, maxCallsPerCaller: 1, ttlMs: 1_000 })
    parked.park(call(), owner)
    expect(parked.hasRoom(owner.identity)).toBe(false)
    expect(parked.hasRoom(new Identity({ issuer: 'i', subject: 'bob' }))).toBe(true)
  })

  it('gives every call up on close', () => {
    const parked = new ParkedCalls({ maxCalls: 2, maxCallsPerCaller: 2, ttlMs: 1_000 })
    const held = call()
    parked.park(held, owner)
    parked.close()
    expect(held.state.ended).toBe(true)
  })
})
