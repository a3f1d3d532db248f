import type { InputRequired } from '@vmcp/domain'
import { silentLogger } from '@vmcp/domain'
import { fakeChannel, startStatelessBackend, statelessDone } from '@vmcp/testing'
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

  it('seals what a backend gives a client to send back, for every replica with the same keys', async () => {
    const states: unknown[] = []
    const backend = await startStatelessBackend({
      'tools/list': (request) => request.result({ resultType: 'complete', tools: [{ name: 'ask', inputSchema: {} }] }),
      'tools/call': (request) => {
        const { requestState } = request.message['params'] as { readonly requestState?: string }
        states.push(requestState)
        request.result(requestState ? statelessDone : { resultType: 'input_required', requestState: 'step-2' })
      },
    })
    const source = `name: demo
backends: [{ name: b, url: '${backend.url}' }]
suspension: { keys: [{ id: k1, secretEnv: STATE_KEY }] }
`
    const replica = (key: number) => {
      const environment = { STATE_KEY: Buffer.alloc(32, key).toString('base64') }
      return createGatewayCore(parseConfig('vmcp.yaml', source, environment), { logger: silentLogger })
    }
    const replicas = [replica(1), replica(1), replica(2)] as const
    const [one, two, other] = replicas
    const options = { client: fakeChannel({ answers: 'retry' }) }
    const asked = (await one.callTool(null, { name: 'b_ask' }, options)) as Required<InputRequired>
    expect(asked.requestState).not.toContain('step-2')
    const retry = { name: 'b_ask', requestState: asked.requestState }
    await expect(other.callTool(null, retry, options)).rejects.toMatchObject({ _tag: 'InvalidRequestState' })
    await two.callTool(null, retry, options)
    expect(states).toEqual([undefined, 'step-2'])
    await Promise.all([...replicas, backend].map((each) => each.close()))
  })
})
