import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import type { Json } from '../testing/wire.js'
import { envelope, post, rpc, stateless } from '../testing/wire.js'

const version = 'io.modelcontextprotocol/protocolVersion'

const capabilities = 'io.modelcontextprotocol/clientCapabilities'

const clientInfo = 'io.modelcontextprotocol/clientInfo'

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'vmcp', version: '1.0.0' } }

const tool = { name: 'echo', inputSchema: { type: 'object' } }

describe('a stateless request', () => {
  it('SRV-M034 is served without a session', async () => {
    const response = await stateless(await startServer({ listTools: async () => [tool] }), 'tools/list')

    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [tool], resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: serverInfo },
    })
  })

  it('SRV-M035 to initialize is unknown (deviation: the conformance suite requires 404 for methods that were removed)', async () => {
    const response = await stateless(await startServer(), 'initialize', { protocolVersion: '2025-11-25' })

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: -32601 } })
  })

  it.each([
    ['SRV-M036 only clientInfo and no header', { _meta: { [clientInfo]: {} } }, {}, -32602],
    ['the header and no version in the body', { _meta: { [capabilities]: {} } }, { version: '2026-07-28' }, -32602],
    ['the header and no _meta', {}, { version: '2026-07-28' }, -32602],
    ['SRV-M037 another version in the header', { _meta: envelope() }, { version: '2099-01-01' }, -32020],
    ['SRV-M038 a version nobody speaks', { _meta: { ...envelope(), [version]: '1.0' } }, { version: '1.0' }, -32022],
    [
      // The reference answers -32021; the conformance suite requires -32602 for an incomplete _meta.
      'SRV-M039 no clientCapabilities',
      { _meta: { [version]: '2026-07-28' } },
      { version: '2026-07-28', method: 'tools/call', name: 'echo' },
      -32602,
    ],
    ['SRV-M040 no version header', { _meta: envelope() }, { method: 'tools/call', name: 'echo' }, -32020],
    ['SRV-M040 no Mcp-Method', { _meta: envelope() }, { version: '2026-07-28', name: 'echo' }, -32020],
    [
      'SRV-M040 another Mcp-Method',
      { _meta: envelope() },
      { version: '2026-07-28', method: 'tools/list', name: 'echo' },
      -32020,
    ],
    ['SRV-M040 no Mcp-Name', { _meta: envelope() }, { version: '2026-07-28', method: 'tools/call' }, -32020],
    [
      'SRV-M040 another Mcp-Name in Base64',
      { _meta: envelope() },
      {
        version: '2026-07-28',
        method: 'tools/call',
        name: `=?base64?${Buffer.from('other-tool').toString('base64')}?=`,
      },
      -32020,
    ],
    [
      'an Mcp-Name that is not Base64',
      { _meta: envelope() },
      { version: '2026-07-28', method: 'tools/call', name: '=?base64?%%%?=' },
      -32020,
    ],
  ])('with %s is refused with 400, its id echoed, and nothing is called', async (_what, params, headers, code) => {
    const called: unknown[] = []
    const server = await startServer({ callTool: async () => (called.push(1), { content: [] }) })

    const response = await post(server, rpc('tools/call', { name: 'echo', ...params }, 0), {
      ...('version' in headers && { 'mcp-protocol-version': headers.version }),
      ...('method' in headers && { 'mcp-method': headers.method }),
      ...('name' in headers && { 'mcp-name': headers.name }),
    })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ id: 0, error: { code } })
    expect(called).toEqual([])
  })

  it('SRV-M038 with another version learns which are spoken', async () => {
    const params = { _meta: { ...envelope(), [version]: '1.0' } }

    const response = await post(await startServer(), rpc('tools/list', params), { 'mcp-protocol-version': '1.0' })

    const { error } = (await response.json()) as Json
    expect(error.data.requested).toBe('1.0')
    expect(error.data.supported).toEqual(expect.arrayContaining(['2026-07-28', '2025-11-25']))
  })

  it('takes an Mcp-Name in Base64', async () => {
    const server = await startServer({
      readResource: async (_identity, { uri }) => ({ contents: [{ uri, text: uri }] }),
    })
    const uri = 'file:///größe'

    const response = await stateless(
      server,
      'resources/read',
      { uri },
      {
        'mcp-name': `=?base64?${Buffer.from(uri).toString('base64')}?=`,
      },
    )

    expect(((await response.json()) as Json).result.contents[0].text).toBe(uri)
  })

  it('with a stray Mcp-Method and no other signal needs a session', async () => {
    const response = await post(await startServer(), rpc('tools/list'), { 'mcp-method': 'tools/list' })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32600 } })
  })

  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'roots/list', 'unknown/method', 'constructor'])(
    'SRV-M044 to %s is unknown: 404 and -32601 (deviation for ping, which 2026-07-28 removed)',
    async (method) => {
      const response = await stateless(await startServer(), method)

      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ id: 1, error: { code: -32601 } })
    },
  )

  it('SRV-M043 that is a notification is taken with 202 and goes nowhere', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { _meta: envelope(), progressToken: 1, progress: 1 },
    })

    const response = await post(await startServer(), body, { 'mcp-protocol-version': '2026-07-28' })

    expect(response.status).toBe(202)
    expect(await response.text()).toBe('')
  })

  it('has no GET and no DELETE', async () => {
    const server = await startServer()
    const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' }

    expect((await fetch(server.url, { headers })).status).toBe(405)
    expect((await fetch(server.url, { method: 'DELETE', headers })).status).toBe(405)
  })
})
