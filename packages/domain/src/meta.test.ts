import { describe, expect, it } from 'vitest'

import { isReservedMetaKey, relayableMeta } from './meta.js'

describe('relayableMeta', () => {
  it('keeps the keys of others and drops the reserved ones', () => {
    const meta = { progressToken: 7, 'acme/trace': 't', 'io.modelcontextprotocol/clientInfo': {} }
    expect(relayableMeta(meta)).toEqual({ progressToken: 7, 'acme/trace': 't' })
  })

  it('relays the reserved keys that are made to travel', () => {
    const meta = {
      'io.modelcontextprotocol/related-task': { taskId: '1' },
      'io.modelcontextprotocol/model-immediate-response': 'soon',
    }
    expect(relayableMeta(meta)).toEqual(meta)
  })

  it('is absent when there is nothing to relay', () => {
    expect(relayableMeta(undefined)).toBeUndefined()
    expect(relayableMeta({})).toBeUndefined()
    expect(relayableMeta({ 'io.modelcontextprotocol/clientInfo': {} })).toBeUndefined()
  })

  it('leaves its input as it was', () => {
    const meta = Object.freeze({ 'io.modelcontextprotocol/clientInfo': {}, a: 1 })
    expect(relayableMeta(meta)).not.toBe(meta)
    expect(meta).toHaveProperty('io.modelcontextprotocol/clientInfo')
  })
})

describe('isReservedMetaKey', () => {
  it('goes by the whole prefix', () => {
    expect(isReservedMetaKey('io.modelcontextprotocol/protocolVersion')).toBe(true)
    expect(isReservedMetaKey('io.modelcontextprotocol.example/x')).toBe(false)
  })
})
