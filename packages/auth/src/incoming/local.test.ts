import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { anonymous } from './anonymous.js'
import { local } from './local.js'

describe('anonymous', () => {
  it('lets everybody in as nobody, whatever they present', async () => {
    const answer = await anonymous().authenticate({ headers: { authorization: 'Bearer stolen' } })

    expect(answer).toEqual({ outcome: 'authenticated', identity: null })
  })
})

describe('local', () => {
  it('takes every caller for the user of this process', async () => {
    const answer = await local().authenticate({ headers: {} })

    expect(answer).toMatchObject({
      outcome: 'authenticated',
      identity: { issuer: 'vmcp-local', subject: userInfo().username },
    })
  })

  it('takes every caller for the user that is named', async () => {
    const answer = await local({ user: 'alice' }).authenticate({ headers: {} })

    expect(answer).toMatchObject({
      identity: { subject: 'alice', name: 'alice', claims: { iss: 'vmcp-local', sub: 'alice' } },
    })
  })
})
