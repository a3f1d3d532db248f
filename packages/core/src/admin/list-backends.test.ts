import { BackendUnavailable, Identity } from '@vmcp/domain'
import { prompt, resource, scriptedBackend, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })
const ids = (statuses: readonly { readonly id: string }[]): readonly string[] => statuses.map(({ id }) => id)

describe('listAllBackends', () => {
  it('CORE-B01 lists every backend by id, without asking one', () => {
    const b1 = scriptedBackend({ id: 'b1', name: 'Backend One', transport: 'stdio', tools: [] })
    const b2 = scriptedBackend({ id: 'b2', on: { describe: () => Promise.reject(new Error('down')) } })
    const statuses = createVMCP({ name: 'gateway', backends: [b2, b1] }).listAllBackends()
    expect(ids(statuses)).toEqual(['b1', 'b2'])
    expect(statuses[0]).toMatchObject({ name: 'Backend One', transport: 'stdio' })
    expect([...b1.calls, ...b2.calls]).toEqual([])
  })

  it('CORE-C09 tells of a backend before and after close', async () => {
    const vmcp = createVMCP({ name: 'gateway', backends: [scriptedBackend({ id: 'b1' })], health: {} })
    expect(vmcp.listAllBackends()).toMatchObject([{ id: 'b1' }])
    await vmcp.close()
    expect(vmcp.listAllBackends()).toMatchObject([{ id: 'b1' }])
  })

  // Without health checks there is still a status: everything is served.
  it('CORE-C10 takes unwatched backends for healthy', () => {
    const vmcp = createVMCP({ name: 'gateway', backends: [scriptedBackend({ id: 'b1' })] })
    expect(vmcp.listAllBackends()).toMatchObject([{ id: 'b1', health: 'healthy' }])
  })
})

describe('listBackends', () => {
  it('CORE-B02 lists the backends of which the caller may use something', async () => {
    const vmcp = createVMCP({
      name: 'gateway',
      backends: ['b1', 'b2'].map((id) => scriptedBackend({ id, tools: [tool('t')] })),
      authorization: { type: 'cedar', policies: ['permit(principal, action, resource == Tool::"b1_t");'] },
    })
    expect(ids(await vmcp.listBackends(alice))).toEqual(['b1'])
  })

  it('CORE-B03 counts tools, resources and prompts', async () => {
    const backends = [
      scriptedBackend({ id: 'b1', tools: [tool('t')] }),
      scriptedBackend({ id: 'b2', resources: [resource('res://b2')] }),
      scriptedBackend({ id: 'b3', prompts: [prompt('p')] }),
      scriptedBackend({ id: 'b4', tools: [] }),
    ]
    expect(ids(await createVMCP({ name: 'gateway', backends }).listBackends(null))).toEqual(['b1', 'b2', 'b3'])
  })

  it('CORE-B05 asks nobody when there is nobody', async () => {
    expect(await createVMCP({ name: 'gateway', backends: [] }).listBackends(alice)).toEqual([])
  })

  it('CORE-B06 does not count composite tools', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('t')] })
    const vmcp = createVMCP({
      name: 'gateway',
      backends: [b1],
      compositeTools: [{ name: 'wf', description: 'd', steps: [{ id: 's', type: 'tool', tool: 'b1.t' }] }],
      authorization: { type: 'cedar', policies: ['permit(principal, action, resource == Tool::"wf");'] },
    })
    expect(await vmcp.listTools(alice)).toHaveLength(1)
    expect(await vmcp.listBackends(alice)).toEqual([])
  })

  it('CORE-B07 is empty for a caller without permission', async () => {
    const vmcp = createVMCP({
      name: 'gateway',
      backends: [scriptedBackend({ id: 'b1', tools: [tool('t')] })],
      authorization: { type: 'cedar', policies: ['forbid(principal, action, resource);'] },
    })
    expect(await vmcp.listBackends(alice)).toEqual([])
  })

  // The error is told by its class; the reference's words "aggregation failed" are not kept.
  it('CORE-B08 fails when aggregation does', async () => {
    const down = scriptedBackend({ id: 'b1', on: { describe: () => Promise.reject(new Error('down')) } })
    await expect(createVMCP({ name: 'gateway', backends: [down] }).listBackends(null)).rejects.toBeInstanceOf(
      BackendUnavailable,
    )
  })
})
