import { describe, expect, it } from 'vitest'
import { contentMap } from './content-map.js'

describe('contentMap', () => {
  it('numbers texts and resources from the second and images from the first', () => {
    const map = contentMap([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'image', data: 'aW1n', mimeType: 'image/png' },
      { type: 'image', data: 'aW1o', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'x:1', text: 'doc' } },
      { type: 'resource', resource: { uri: 'x:2', blob: 'Ymlu' } },
    ])

    expect(map).toEqual({
      text: 'a',
      text_1: 'b',
      image_0: 'aW1n',
      image_1: 'aW1o',
      resource: 'doc',
      resource_1: 'Ymlu',
    })
  })

  it('leaves out audio and links', () => {
    const map = contentMap([
      { type: 'audio', data: 'YQ==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'x:1', name: 'x' },
    ])

    expect(map).toEqual({})
  })
})
