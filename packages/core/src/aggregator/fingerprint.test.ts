import type { Finding } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import { fingerprintOf } from './fingerprint.js'

const finding: Finding = { reason: 'hidden', kind: 'tool', subject: 'x', backendId: 'b', message: 'the filter' }

describe('fingerprintOf', () => {
  it('is as short for a thousand findings as for one', () => {
    const many = Array.from({ length: 1000 }, (_, index): Finding => ({ ...finding, subject: `tool${index}` }))
    expect(fingerprintOf(many)).toHaveLength(fingerprintOf([finding]).length)
  })

  it.each([{ reason: 'renamed' }, { kind: 'prompt' }, { subject: 'y' }, { backendId: 'c' }, { message: 'm' }] as const)(
    'tells findings apart by %j',
    (other) => {
      expect(fingerprintOf([{ ...finding, ...other }])).not.toBe(fingerprintOf([finding]))
      expect(fingerprintOf([{ ...finding }])).toBe(fingerprintOf([finding]))
    },
  )
})
