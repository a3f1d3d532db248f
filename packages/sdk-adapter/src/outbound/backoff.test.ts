import { describe, expect, it } from 'vitest'
import { Backoff } from './backoff.js'

describe('Backoff', () => {
  it('lets the first failure pass, then waits 1, 2, 4 … up to 30 seconds', () => {
    let now = 1_000
    const backoff = new Backoff(() => now)
    const waits = Array.from({ length: 8 }, (_, index) => {
      backoff.failed(`failure ${index}`)
      let waited = 0
      while (backoff.standing !== undefined) {
        waited += 500
        now += 500
      }
      return waited
    })
    expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  it('holds the last failure while it waits', () => {
    const backoff = new Backoff(() => 1_000)
    backoff.failed('first')
    backoff.failed('second')
    expect(backoff.standing).toEqual({ error: 'second' })
  })

  it('forgets failures after a life of more than a minute', () => {
    let now = 1_000
    const backoff = new Backoff(() => now)
    for (let failure = 0; failure < 5; failure += 1) backoff.failed(failure)
    now += 60_000
    backoff.started()
    now += 61_000
    backoff.failed('after a long life')
    expect(backoff.standing).toBeUndefined()
  })
})
