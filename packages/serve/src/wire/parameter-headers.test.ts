import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { stateless } from '../testing/wire.js'

describe('Mcp-Param headers', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      paging: { type: 'object', properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } } },
    },
  }
  const vmcp = {
    lookupTool: async (_identity: unknown, name: string) => ({ name, inputSchema }),
    callTool: async () => ({ content: [] }),
  }

  it.each([
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'größe' }, { 'mcp-param-region': `=?base64?${Buffer.from('größe').toString('base64')}?=` }],
    [{ paging: { size: 42 } }, { 'mcp-param-size': '42.0' }],
    [{}, { 'mcp-param-region': 'ignored' }],
    [{ region: null }, {}],
  ])('that repeat the arguments %j pass', async (given, headers) => {
    const response = await stateless(await startServer(vmcp), 'tools/call', { name: 't', arguments: given }, headers)

    expect(response.status).toBe(200)
  })

  it.each([
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?%?=' }],
    [{ paging: { size: 42 } }, { 'mcp-param-size': '43' }],
  ])('that differ from the arguments %j are refused with 400 and -32020', async (given, headers) => {
    const response = await stateless(await startServer(vmcp), 'tools/call', { name: 't', arguments: given }, headers)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } })
  })

  it('are not asked for where there are no arguments: the tool is not even looked up', async () => {
    const lookedUp: string[] = []
    const server = await startServer({
      ...vmcp,
      lookupTool: async (_identity, name) => {
        lookedUp.push(name)
        return { name, inputSchema }
      },
    })

    expect((await stateless(server, 'tools/call', { name: 'bare' })).status).toBe(200)
    expect((await stateless(server, 'tools/call', { name: 'empty', arguments: {} })).status).toBe(200)
    expect((await stateless(server, 'tools/call', { name: 'other', arguments: { other: 1 } })).status).toBe(200)
    expect(lookedUp).toEqual(['other'])
  })
})
