import { silentLogger } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { parseConfig } from './config/load.js'
import { createGatewayCore } from './gateway.js'

describe('createGatewayCore', () => {
  it('names the outgoing strategy of a backend that gets credentials', async () => {
    const source = `name: demo
backends:
  - { name: bare, url: 'http://127.0.0.1:1/mcp' }
  - { name: keyed, url: 'http://127.0.0.1:1/mcp' }
outgoingAuth:
  backends: { keyed: { type: header_injection, headerInjection: { headerName: X-Key, headerValue: k } } }
`
    const vmcp = createGatewayCore(parseConfig('vmcp.yaml', source, {}), { logger: silentLogger })
    const authentications = vmcp.listAllBackends().map(({ id, authentication }) => [id, authentication])
    await vmcp.close()
    expect(authentications).toEqual([
      ['bare', undefined],
      ['keyed', 'header_injection'],
    ])
  })
})
