import { connectClient, stdioFixture } from '@vmcp/sdk-adapter/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from './gateway-process.js'

describe('a backend that dies during a call', () => {
  let gateway: GatewayProcess

  beforeAll(async () => {
    const program = stdioFixture({ sdk: 'none' })
    gateway = await startGateway({
      name: 'demo',
      backends: [
        { name: 'frail', ...program },
        { name: 'steady', ...program },
      ],
    })
  })
  afterAll(() => gateway.stop())

  it('BAD-5 costs its own call only, and comes back', async () => {
    const client = await connectClient({ sdk: 'v2', url: gateway.url })
    const [crashed, steady] = await Promise.allSettled([
      client.callTool('frail_crash'),
      client.callTool('steady_echo', { text: 'still here' }),
    ])
    expect(steady).toMatchObject({ status: 'fulfilled', value: { content: [{ text: 'still here' }] } })
    expect(crashed).toMatchObject({ status: 'fulfilled', value: { isError: true } })
    expect(JSON.stringify(crashed)).not.toContain('about to crash')
    await expect
      .poll(() => client.callTool('frail_echo', { text: 'back' }), { timeout: 10_000, interval: 250 })
      .toMatchObject({ content: [{ text: 'back' }] })
    await client.close()
  })
})
