import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { messagesOf, stateless } from '../testing/wire.js'

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'vmcp', version: '1.0.0' } }

const tool = { name: 'echo', inputSchema: { type: 'object' } }

describe('server/discover', () => {
  it('SRV-M042 announces nothing but completions to a caller who is offered nothing', async () => {
    const [answer] = await messagesOf(await stateless(await startServer(), 'server/discover'))

    expect(answer.result).toMatchObject({
      capabilities: { completions: {} },
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: serverInfo,
    })
    expect(Object.keys(answer.result.capabilities)).toEqual(['completions'])
    expect(answer.result.supportedVersions).toEqual(expect.arrayContaining(['2026-07-28', '2025-11-25']))
  })

  it('announces the kinds a caller is offered, and changes when something tells of them', async () => {
    const server = await startServer(
      { listTools: async () => [tool], listPrompts: async () => [{ name: 'p' }] },
      { events: { subscribe: () => () => {} }, instructions: 'Ask nicely.' },
    )

    const [answer] = await messagesOf(await stateless(server, 'server/discover'))

    expect(answer.result.capabilities).toEqual({
      completions: {},
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
    })
    expect(answer.result.instructions).toBe('Ask nicely.')
  })
})
