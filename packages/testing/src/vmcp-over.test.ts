import { delegate, restrict } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import { decoratedSubject } from './contract/decorated-subject.js'
import { describeVmcpContract } from './contract/describe-vmcp-contract.js'
import { resource, tool } from './offers.js'
import { scriptedBackend } from './scripted-backend.js'
import { vmcpOver } from './vmcp-over.js'

describeVmcpContract('vmcpOver', () => decoratedSubject((inner) => inner))
describeVmcpContract('delegate over a hand-made VMCP', () => decoratedSubject((inner) => delegate(inner, {})))
describeVmcpContract('restrict over a hand-made VMCP', () =>
  decoratedSubject((inner) => restrict(inner, { tool: (_, { name }) => name !== 'other' })),
)

describe('vmcpOver', () => {
  it('offers what the backend offers, but what it refuses', async () => {
    const backend = scriptedBackend({ id: 'b1', tools: [tool('b'), tool('a'), tool('no')], resources: [resource('u')] })
    const vmcp = vmcpOver(backend, { refuses: ['no'] })
    expect((await vmcp.listTools(null)).map(({ name, backendId }) => [name, backendId])).toEqual([
      ['a', 'b1'],
      ['b', 'b1'],
    ])
    await expect(vmcp.callTool(null, { name: 'no' })).rejects.toMatchObject({ _tag: 'NotFound' })
  })
})
