import { describe, expect, it } from 'vitest'

import { isEmbeddedResource, isMedia, isResourceLink, isText, text } from './content.js'
import { isInputRequired } from './input-required.js'

describe('content blocks', () => {
  it.each([
    ['text', isText, text('hello')],
    ['an image', isMedia, { type: 'image', data: 'AA==', mimeType: 'image/png' }],
    ['a sound', isMedia, { type: 'audio', data: 'AA==', mimeType: 'audio/wav' }],
    ['a link', isResourceLink, { type: 'resource_link', uri: 'file:///a', name: 'a' }],
    ['a resource', isEmbeddedResource, { type: 'resource', resource: { uri: 'file:///a', text: 'a' } }],
  ])('knows %s', (_, is, block) => {
    expect(is(block)).toBe(true)
    expect(is({ type: block.type })).toBe(false)
    expect(is({ ...block, type: 'hologram' })).toBe(false)
  })
})

describe('isInputRequired', () => {
  it('goes by the result type', () => {
    expect(isInputRequired({ resultType: 'input_required', requestState: '' })).toBe(true)
    expect(isInputRequired({ content: [] })).toBe(false)
  })
})
