import { describe, expect, it } from 'vitest'
import { createInterruption } from './interruption.js'

describe('createInterruption', () => {
  it('stops with the signal of the caller', () => {
    const caller = new AbortController()
    const interruption = createInterruption(caller.signal)

    caller.abort()

    expect(interruption.signal.aborted).toBe(true)
    expect(interruption.by).toBe('caller')
  })

  it('names who was first', () => {
    const interruption = createInterruption(undefined)

    interruption.interrupt('id')
    interruption.interrupt('close')

    expect(interruption.by).toBe('id')
  })

  it('no longer hears the caller when it is released', () => {
    const caller = new AbortController()
    const interruption = createInterruption(caller.signal)

    interruption.release()
    caller.abort()

    expect(interruption.signal.aborted).toBe(false)
  })
})
