import type { ClientChannel, Identity } from '@vmcp/domain'
import { fakeChannel, recordingLogger, scriptedBackend } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import { createVMCP } from '../create-vmcp.js'

describe('rootsChanged', () => {
  it('protocol 45 tells every backend whose client wants to know, whatever one of them does', async () => {
    const told: (readonly [string, Identity | null, ClientChannel, unknown])[] = []
    const backend = (id: string) => {
      const scripted = scriptedBackend({ id })
      const client = {
        ...scripted.client,
        rootsChanged: (identity: Identity | null, channel: ClientChannel, options: unknown) => {
          told.push([id, identity, channel, options])
          if (id === 'a') throw new Error('no')
        },
      }
      return { ...scripted, client }
    }
    const logger = recordingLogger()
    const vmcp = createVMCP({
      name: 'gateway',
      backends: [backend('a'), backend('b'), scriptedBackend({ id: 'c' })],
      logger,
    })
    const client = fakeChannel({ capabilities: { roots: true } })
    const options = { forwardedHeaders: { 'x-team': 'red' } }

    vmcp.rootsChanged?.(null, client, options)
    await vmcp.close()

    expect(told).toEqual([
      ['a', null, client, options],
      ['b', null, client, options],
    ])
    expect(logger.lines.map(({ message }) => message)).toContain('a backend client threw where it must not')
  })
})
