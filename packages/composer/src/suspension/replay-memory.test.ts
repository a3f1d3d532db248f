import { describe, expect, it } from 'vitest'
import { createReplayMemory } from './replay-memory.js'

describe('createReplayMemory', () => {
  it('says true the first time only', async () => {
    const memory = createReplayMemory(() => 0)

    expect(await memory.use('a', 10)).toBe(true)
    expect(await memory.use('a', 10)).toBe(false)
    expect(await memory.use('b', 10)).toBe(true)
  })

  it('forgets what has expired', async () => {
    let now = 0
    const memory = createReplayMemory(() => now)
    await memory.use('a', 10)

    now = 11

    expect(await memory.use('a', 20)).toBe(true)
  })
})
