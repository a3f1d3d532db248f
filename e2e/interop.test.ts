import {
  connectClient,
  startFixtureServer,
  stdioFixture,
  type FixtureServer,
  type TestClientOptions,
} from '@vmcp/sdk-adapter/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from './gateway-process.js'

const clients: readonly (readonly [string, Pick<TestClientOptions, 'sdk' | 'era'>])[] = [
  ['SDK 1.x', { sdk: 'v1' }],
  ['SDK 2.x, legacy', { sdk: 'v2', era: '2025' }],
  ['SDK 2.x, auto', { sdk: 'v2', era: 'auto' }],
  ['SDK 2.x, pinned to 2026-07-28', { sdk: 'v2', era: '2026' }],
]
const backends = [
  'http_v1',
  'http_v2_2025',
  'http_v2_2026',
  'http_v2_both',
  'stdio_v1',
  'stdio_v2_2025',
  'stdio_v2_2026',
]

describe('clients and backends of every kind', () => {
  let servers: readonly FixtureServer[]
  let gateway: GatewayProcess

  beforeAll(async () => {
    servers = await Promise.all([
      startFixtureServer({ sdk: 'v1' }),
      startFixtureServer({ sdk: 'v2', era: '2025' }),
      startFixtureServer({ sdk: 'v2', era: '2026' }),
      startFixtureServer({ sdk: 'v2', era: 'both' }),
    ])
    const programs = [stdioFixture({ sdk: 'v1' }), stdioFixture({ era: '2025' }), stdioFixture({ era: '2026' })]
    gateway = await startGateway({
      name: 'demo',
      backends: [
        ...servers.map(({ url }, index) => ({ name: backends[index], url })),
        ...programs.map((program, index) => ({ name: backends[servers.length + index], ...program })),
      ],
    })
  })
  afterAll(async () => {
    await gateway.stop()
    await Promise.all(servers.map((server) => server.close()))
  })

  it.each(clients)('MIX-1 %s reaches each of them', async (_, options) => {
    const client = await connectClient({ ...options, url: gateway.url })
    const names = (await client.listTools()).map(({ name }) => name)
    for (const backend of backends) {
      expect(names).toContain(`${backend}_echo`)
      expect(await client.callTool(`${backend}_echo`, { text: backend })).toMatchObject({
        content: [{ type: 'text', text: backend }],
      })
    }
    await client.close()
  })
})
