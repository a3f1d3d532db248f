import { describe, expect, it } from 'vitest'
import type { Identity, OutgoingAuth } from '@vmcp/domain'
import { done, statelessDone } from '@vmcp/testing'
import { backend, scriptedBackend, statelessBackend } from './test-support/raw-backends.js'

describe('connectBackend and redirects', () => {
  it('AGG-L10 follows one to the same host and port', async () => {
    const server = await statelessBackend({
      'tools/call': (request) =>
        request.path === '/moved'
          ? request.result(statelessDone)
          : void request.response.writeHead(307, { location: '/moved' }).end(),
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
  })

  it('AGG-L10 refuses one to another port and sends it no credential', async () => {
    const other = await scriptedBackend({})
    const server = await statelessBackend({
      'tools/call': ({ response }) => void response.writeHead(307, { location: other.url }).end(),
    })
    const auth = bearer(() => 'secret')
    await expect(backend(server.url, { auth }).callTool(null, { name: 'x' })).rejects.toMatchObject({
      reason: 'protocol',
    })
    expect(other.requests).toHaveLength(0)
  })

  it('takes a path that begins like a host for a path', async () => {
    const server = await statelessBackend({
      'tools/call': (request) => {
        if (request.path === '/z') return request.result(statelessDone)
        const location = request.path === '//x/y' ? '/z' : `${new URL(server.url).origin}//x/y`
        request.response.writeHead(307, { location }).end()
      },
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
  })

  it('stops after ten', async () => {
    const server = await statelessBackend({
      'tools/call': ({ response }) => void response.writeHead(308, { location: '/mcp' }).end(),
    })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({ reason: 'protocol' })
    expect(server.count('tools/call')).toBe(11)
  })
})

describe('connectBackend and headers', () => {
  it('AGG-L11 sends configured headers and credentials, and credentials win', async () => {
    const server = await statelessBackend({ 'tools/call': (request) => request.result(statelessDone) })
    const headers = { 'X-Tenant': 'acme', Authorization: 'Basic configured' }
    const target = { transport: 'streamable-http' as const, url: server.url, headers }
    await backend(server.url, { target, auth: bearer(() => 't1') }).callTool(null, { name: 'x' })
    for (const request of server.requests) {
      expect(request.headers).toMatchObject({ 'x-tenant': 'acme', authorization: 'Bearer t1' })
    }
  })

  it('AGG-L12 refuses a forwarded header that collides with a configured one, and drops those of the hop', async () => {
    const server = await statelessBackend({ 'tools/call': (request) => request.result(statelessDone) })
    const target = { transport: 'streamable-http' as const, url: server.url, headers: { 'X-Tenant': 'acme' } }
    const client = backend(server.url, { target })
    await expect(client.callTool(null, { name: 'x' }, { forwardedHeaders: { 'x-tenant': 'evil' } })).rejects.toThrow(
      'forwarded header "x-tenant" collides with a configured header',
    )
    await client.callTool(null, { name: 'x' }, { forwardedHeaders: { host: 'evil', 'x-trace': '1' } })
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'x-trace': '1', host: new URL(server.url).host })
  })

  it('AGG-M13 AGG-M15 sends the standard headers, which nothing can replace', async () => {
    const server = await statelessBackend({
      'tools/call': (request) => request.result(statelessDone),
      'tools/list': (request) => request.result({ resultType: 'complete', tools: [] }),
    })
    const client = backend(server.url)
    const parameterHeaders = { 'Mcp-Method': 'resources/read', 'Mcp-Param-Region': 'eu-west1' }
    await client.callTool(null, { name: 'echo' }, { parameterHeaders })
    expect(server.requests.at(-1)?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-param-region': 'eu-west1',
    })
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('mcp-session-id')
    const forwardedHeaders = { 'mcp-param-region': 'us-east1' }
    await client.callTool(null, { name: 'echo' }, { parameterHeaders, forwardedHeaders })
    expect(server.requests.at(-1)?.headers['mcp-param-region']).toBe('eu-west1')
    await client.callTool(null, { name: 'données lire' })
    expect(server.requests.at(-1)?.headers['mcp-name']).toBe('=?base64?ZG9ubsOpZXMgbGlyZQ==?=')
    await client.listTools(null, {})
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('mcp-name')
  })

  it('AGG-M14 AGG-M23 makes the metadata of the hop itself', async () => {
    const server = await statelessBackend({ 'tools/call': (request) => request.result(statelessDone) })
    const meta = { 'io.modelcontextprotocol/protocolVersion': '1999-01-01', userKey: 1 }
    await backend(server.url).callTool(null, { name: 'x', meta })
    expect(server.requests.at(-1)?.message['params']).toMatchObject({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        userKey: 1,
      },
    })
    expect(server.requests.at(-1)?.message['params']).not.toHaveProperty(['_meta', 'io.modelcontextprotocol/logLevel'])
    expect(meta['io.modelcontextprotocol/protocolVersion']).toBe('1999-01-01')
  })
})

function bearer(token: (identity: Identity | null) => string): OutgoingAuth {
  return {
    type: 'test',
    credentialKey: token,
    headers: async (identity) => ({ Authorization: `Bearer ${token(identity)}` }),
  }
}
