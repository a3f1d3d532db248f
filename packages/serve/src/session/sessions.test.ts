import { Identity, InvalidInput, silentLogger } from '@vmcp/domain'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bindTo, isBoundTo } from './binding.js'
import type { SessionLimits, Sessions } from './sessions.js'
import { createSessions } from './sessions.js'

const alice = new Identity({ issuer: 'https://idp.example', subject: 'alice', token: 'AT1' })

describe('createSessions', () => {
  it('gives ids of visible ASCII that nobody guesses', async () => {
    const { sessions } = setUp()

    const ids = await Promise.all(Array.from({ length: 100 }, () => sessions.open(alice, () => {})))

    expect(new Set(ids).size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{36}$/)
  })

  it('SRV-S017 keeps a session alive while it is used', async () => {
    const { sessions, clock } = setUp({ ttlMs: 1000 })
    const id = await opened(sessions)

    for (let use = 0; use < 5; use += 1) {
      clock.now += 999
      expect(await sessions.claim(id, alice)).toBe(true)
    }
  })

  it('SRV-S018 ends a session that is not used', async () => {
    const { sessions, clock } = setUp({ ttlMs: 1000 })
    const id = await opened(sessions)

    clock.now += 1000

    expect(await sessions.claim(id, alice)).toBe(false)
    expect(sessions.size).toBe(0)
  })

  it('ends a session after its longest life, used or not', async () => {
    const { sessions, clock } = setUp({ ttlMs: 1000, maxAgeMs: 1500 })
    const id = await opened(sessions)

    clock.now += 900
    expect(await sessions.claim(id, alice)).toBe(true)
    clock.now += 600
    expect(await sessions.claim(id, alice)).toBe(false)
  })

  it('does not let a session idle out while something of it is open', async () => {
    const { sessions, clock } = setUp({ ttlMs: 1000 })
    const id = await opened(sessions)
    const release = sessions.hold(id)

    clock.now += 5000
    sessions.sweep()
    expect(sessions.size).toBe(1)

    release()
    release()
    clock.now += 999
    expect(await sessions.claim(id, alice)).toBe(true)
    clock.now += 1000
    sessions.sweep()
    expect(sessions.size).toBe(0)
  })

  it('tells once that a session ended, for whatever reason', async () => {
    const { sessions, clock } = setUp({ ttlMs: 1000 })
    const ended: string[] = []
    const deleted = (await sessions.open(alice, () => ended.push('deleted'))) ?? ''
    await sessions.end(deleted)
    await sessions.end(deleted)
    await sessions.open(alice, () => ended.push('expired'))
    clock.now += 1000
    sessions.sweep()
    await sessions.open(alice, () => ended.push('closed'))
    sessions.close()

    expect(ended).toEqual(['deleted', 'expired', 'closed'])
  })

  it('refuses a session when there are too many, and takes none from another', async () => {
    const { sessions, clock } = setUp({ max: 2, ttlMs: 1000 })
    const first = await opened(sessions)
    await opened(sessions)

    expect(await sessions.open(alice, () => {})).toBeUndefined()
    expect(await sessions.claim(first, alice)).toBe(true)
    clock.now += 1000
    expect(await sessions.open(alice, () => {})).toBeDefined()
  })
})

describe('the owner of a session', () => {
  it('SRV-S027 is the same with a refreshed token', async () => {
    const { sessions } = setUp()
    const id = await opened(sessions)

    const refreshed = new Identity({ issuer: 'https://idp.example', subject: 'alice', token: 'AT2' })

    expect(await sessions.claim(id, refreshed)).toBe(true)
  })

  it.each([
    ['another issuer', new Identity({ issuer: 'https://other.example', subject: 'alice' })],
    ['another subject', new Identity({ issuer: 'https://idp.example', subject: 'eve' })],
    ['an empty subject', new Identity({ issuer: 'https://idp.example', subject: '' })],
    ['parts that join to the same text', new Identity({ issuer: 'https://idp.example\0alice', subject: 'alice' })],
    ['nobody', null],
  ])('SRV-S028 is not somebody with %s', async (_what, caller) => {
    const { sessions } = setUp()
    const id = await opened(sessions)

    expect(await sessions.claim(id, caller)).toBe(false)
    expect(await sessions.claim(id, alice)).toBe(true)
  })

  it('is nobody for an anonymous session, and nobody else', async () => {
    const { sessions } = setUp()
    const id = (await sessions.open(null, () => {})) ?? ''

    expect(await sessions.claim(id, null)).toBe(true)
    expect(await sessions.claim(id, alice)).toBe(false)
  })

  it('has to have a usable issuer and subject', () => {
    expect(() => bindTo(new Identity({ issuer: '', subject: 'alice' }))).toThrow(InvalidInput)
    expect(() => bindTo(new Identity({ issuer: 'a', subject: 'b\0c' }))).toThrow(InvalidInput)
    expect(isBoundTo(bindTo(null), new Identity({ issuer: 'unauthenticated', subject: '' }))).toBe(false)
  })
})

function setUp(limits: Partial<SessionLimits> = {}): { sessions: Sessions; clock: { now: number } } {
  const clock = { now: 0 }
  const all = { ttlMs: 60_000, maxAgeMs: 3_600_000, max: 1000, ...limits }
  const sessions = createSessions(all, silentLogger, () => clock.now)
  onTestFinished(() => sessions.close())
  return { sessions, clock }
}

async function opened(sessions: Sessions): Promise<string> {
  return (await sessions.open(alice, () => {})) ?? ''
}
