import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'

import { scriptedBackend } from '../aggregator/test-support/scripted-backend.js'
import { Backends } from './backends.js'

const backendsOf = (...ids: string[]) =>
  Effect.runSync(Effect.provide(Backends, Backends.layer(ids.map((id) => scriptedBackend(id)))))

describe('Backends', () => {
  // Health and metadata of the row belong to the health room and to the configuration.
  it('AGG-D01 are in the order of their ids, however they are configured', () => {
    expect(backendsOf('zebra', 'middle', 'alpha', 'Beta').all.map(({ id }) => id)).toEqual([
      'Beta',
      'alpha',
      'middle',
      'zebra',
    ])
  })

  it('are found by id', () => {
    const backends = backendsOf('a', 'b')
    expect(backends.get('b')).toBe(backends.all[1])
    expect(backends.get('c')).toBeUndefined()
  })
})
