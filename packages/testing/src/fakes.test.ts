import { describe, expect, it } from 'vitest'

import { deepFreeze } from './deep-freeze.js'
import { fakeChannel } from './fake-channel.js'
import { recordingLogger } from './recording-logger.js'
import { rejection } from './rejection.js'

describe('fakeChannel', () => {
  it('keeps what it was asked and answers by script', async () => {
    const channel = fakeChannel({ elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })
    const question = { message: 'Name?', requestedSchema: { type: 'object' } }
    expect(await channel.elicitation?.requestElicitation(question)).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    })
    expect(channel.questions).toEqual([question])
  })

  it('cannot be asked without a script', () => {
    expect(fakeChannel()).not.toHaveProperty('elicitation')
    expect(fakeChannel()).not.toHaveProperty('forward')
  })
})

describe('recordingLogger', () => {
  it('keeps its lines in order', () => {
    const logger = recordingLogger()
    logger.warn('first', { backend: 'b' })
    logger.info('second')
    expect(logger.lines).toEqual([
      { level: 'warn', message: 'first', fields: { backend: 'b' } },
      { level: 'info', message: 'second', fields: {} },
    ])
  })
})

describe('deepFreeze', () => {
  it('makes a write at any depth throw', () => {
    const value: { inner: { list: number[] } } = { inner: { list: [1] } }
    deepFreeze(value)
    expect(() => value.inner.list.push(2)).toThrow(TypeError)
  })
})

describe('rejection', () => {
  it('gives the error, and fails for a promise that resolves', async () => {
    const error = new Error('boom')
    expect(await rejection(Promise.reject(error))).toBe(error)
    await expect(rejection(Promise.resolve(1))).rejects.toThrow('expected a rejection')
  })
})
