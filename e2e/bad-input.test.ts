import { createServer, type AddressInfo } from 'node:net'
import { connectClient, stdioFixture } from '@vmcp/sdk-adapter/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runVmcp, startGateway, writeConfig, type GatewayProcess } from './gateway-process.js'

describe('a configuration with problems', () => {
  it('BAD-1 is refused with every problem and its place, by serve and by validate', async () => {
    const file = await writeConfig(`name: demo
backends:
  - name: a
    transport: carrier-pigeon
    url: http://a
  - name: a
    url: ftp://a
  - command: npx
    speed: fast
`)
    for (const command of ['serve', 'validate']) {
      const { code, output, errors } = await runVmcp([command, '--config', file])
      expect(code).toBe(1)
      expect(output).toBe('')
      expect(errors.trim().split('\n')).toEqual([
        `${file}:4:16: backends[0].transport: expected one of: streamable-http, sse, stdio`,
        `${file}:6:11: backends[1].name: duplicate backend name "a": already used by entry 0`,
        `${file}:7:10: backends[1].url: expected an http:// or https:// URL`,
        `${file}:8:5: backends[2].name: is required: expected a text`,
        `${file}:9:5: backends[2].speed: unknown key "speed"`,
      ])
    }
  })
})

describe('a port in use', () => {
  it('BAD-3 is told in one line', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const file = await writeConfig({ name: 'demo', backends: [] })
    const { code, errors } = await runVmcp(['serve', '--config', file, '--port', String(port)])
    await new Promise((resolve) => other.close(resolve))
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toHaveLength(1)
    expect(errors).toContain(String(port))
    expect(errors).toContain('in use')
  })
})

describe('backends that do not start', () => {
  let gateway: GatewayProcess

  beforeAll(async () => {
    const unreachable = createServer()
    await new Promise<void>((resolve) => unreachable.listen(0, '127.0.0.1', resolve))
    const { port } = unreachable.address() as AddressInfo
    await new Promise((resolve) => unreachable.close(resolve))
    const { command, args } = stdioFixture()
    gateway = await startGateway({
      name: 'demo',
      backends: [
        { name: 'good', command, args },
        { name: 'missing', command: 'no-such-program-anywhere' },
        { name: 'refused', url: `http://127.0.0.1:${port}/mcp` },
        { name: 'quits', command: process.execPath, args: ['-e', 'process.exit(3)'] },
      ],
    })
  })
  afterAll(() => gateway.stop())

  it('BAD-2 leave the rest served', async () => {
    const client = await connectClient({ sdk: 'v2', url: gateway.url })
    expect(await client.callTool('good_echo', { text: 'hi' })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    })
    expect((await client.listTools()).every(({ name }) => String(name).startsWith('good_'))).toBe(true)
    await client.close()
  })

  it('BAD-2 are each reported once, with the cause', () => {
    const lines = gateway.errors().split('\n')
    const about = (name: string) => lines.filter((line) => line.includes(name))
    expect(about('missing')).toEqual([expect.stringContaining('command not found')])
    expect(about('refused')).toEqual([expect.stringContaining('connection refused')])
    expect(about('quits')).toEqual([expect.stringContaining('exited with code 3')])
  })
})

describe('a body that is none of ours', () => {
  let gateway: GatewayProcess

  beforeAll(async () => {
    gateway = await startGateway({ name: 'demo', backends: [] })
  })
  afterAll(() => gateway.stop())

  it.each([
    ['is not JSON', '{"jsonrpc":', 400, -32700],
    ['is not JSON-RPC', '{"hello":"world"}', 400, -32600],
    ['is no object', '42', 400, -32600],
    ['is a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
    [
      'is too large',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', pad: 'x'.repeat(5_000_000) }),
      413,
      -32600,
    ],
  ])('BAD-4 that %s gets the right status and code', async (_, body, status, code) => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } })
  })
})
