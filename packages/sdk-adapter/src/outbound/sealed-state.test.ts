import { hkdfSync } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Identity, InvalidConfig } from '@vmcp/domain'
import type { StateOwner } from './sealed-state.js'
import { createStateSeal } from './sealed-state.js'

const ada = new Identity({ issuer: 'i', subject: 'ada' })
const owner: StateOwner = {
  identity: ada,
  backend: 'files',
  method: 'tools/call',
  call: { name: 'deploy', arguments: { env: 'dev', count: 1 } },
}
const first = { id: 'first', secret: new Uint8Array(32).fill(1) }
const second = { id: 'second', secret: Buffer.alloc(32, 2).toString('base64') }
const refused = { _tag: 'InvalidRequestState' }

describe('createStateSeal', () => {
  it('opens for the same caller and call, whatever the order of the arguments', async () => {
    const seal = createStateSeal()
    const sealed = await seal.seal(owner, 'step-2')
    const again = { ...owner, call: { arguments: { count: 1, env: 'dev' }, name: 'deploy' } }
    expect(await seal.open(again, sealed)).toBe('step-2')
  })

  it('shows nothing of the state', async () => {
    const sealed = await createStateSeal().seal(owner, 'step-2')
    const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    expect(parts.join()).not.toContain('step-2')
  })

  it('keeps an empty state', async () => {
    const seal = createStateSeal()
    expect(await seal.open(owner, await seal.seal(owner, ''))).toBe('')
  })

  it.each<readonly [string, Partial<StateOwner>]>([
    ['another caller', { identity: new Identity({ issuer: 'i', subject: 'bob' }) }],
    ['the same subject of another issuer', { identity: new Identity({ issuer: 'j', subject: 'ada' }) }],
    ['an anonymous caller', { identity: null }],
    ['another backend', { backend: 'mail' }],
    ['another method', { method: 'prompts/get' }],
    ['another tool', { call: { ...owner.call, name: 'destroy' } }],
    ['other arguments', { call: { name: 'deploy', arguments: { env: 'prod', count: 1 } } }],
  ])('does not open for %s', async (_name, change) => {
    const seal = createStateSeal()
    const sealed = await seal.seal(owner, 'step-2')
    await expect(seal.open({ ...owner, ...change }, sealed)).rejects.toMatchObject(refused)
  })

  it('does not open what was changed, in whichever part', async () => {
    const seal = createStateSeal()
    const parts = (await seal.seal(owner, 'step-2')).split('.')
    for (const [index, part] of parts.entries()) {
      const changed = (part.startsWith('A') ? 'B' : 'A') + part.slice(1)
      await expect(seal.open(owner, parts.with(index, changed).join('.'))).rejects.toMatchObject(refused)
    }
  })

  it.each(['', 'step-2', 'a.b.c.d.e', '....'])('does not open %j, which it never made', async (state) => {
    await expect(createStateSeal().open(owner, state)).rejects.toMatchObject(refused)
  })

  it('opens until the state expires', async () => {
    let time = 1_000
    const seal = createStateSeal({ ttlMs: 100, now: () => time })
    const sealed = await seal.seal(owner, 'step-2')
    time = 1_099
    expect(await seal.open(owner, sealed)).toBe('step-2')
    time = 1_100
    await expect(seal.open(owner, sealed)).rejects.toMatchObject(refused)
  })

  it('opens what another replica sealed with any of its keys', async () => {
    const before = await createStateSeal({ keys: [first] }).seal(owner, 'step-2')
    expect(await createStateSeal({ keys: [second, first] }).open(owner, before)).toBe('step-2')
    await expect(createStateSeal({ keys: [second] }).open(owner, before)).rejects.toMatchObject(refused)
  })

  it('does not open what was sealed without keys elsewhere', async () => {
    const sealed = await createStateSeal().seal(owner, 'step-2')
    await expect(createStateSeal().open(owner, sealed)).rejects.toMatchObject(refused)
  })

  it('does not open a state of another kind that was sealed with the same secret', async () => {
    const key = new Uint8Array(hkdfSync('sha256', first.secret, new Uint8Array(), 'vmcp workflow request state', 32))
    const other = await new CompactEncrypt(new TextEncoder().encode('{}'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: first.id })
      .encrypt(key)
    await expect(createStateSeal({ keys: [first] }).open(owner, other)).rejects.toMatchObject(refused)
  })

  it('refuses a key that is too short', () => {
    const keys = [first, { id: 'short', secret: new Uint8Array(31) }]
    expect(() => createStateSeal({ keys })).toThrow(InvalidConfig)
  })
})
