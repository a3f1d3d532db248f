import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { messagesOf, stateless } from '../testing/wire.js'

const tool = { name: 'echo', inputSchema: { type: 'object' } }

describe('pages of a list', () => {
  const many = <Item>(make: (key: string) => Item) =>
    Array.from({ length: 1005 }, (_, index) => make(`k${String(index).padStart(4, '0')}`))

  it.each([
    ['tools/list', 'tools', { listTools: async () => many((name) => ({ name, inputSchema: {} })) }],
    ['resources/list', 'resources', { listResources: async () => many((uri) => ({ uri, name: 'r' })) }],
    [
      'resources/templates/list',
      'resourceTemplates',
      { listResourceTemplates: async () => many((uriTemplate) => ({ uriTemplate, name: 't' })) },
    ],
    ['prompts/list', 'prompts', { listPrompts: async () => many((name) => ({ name })) }],
  ])('SRV-M049 of %s are 1000 long', async (method, member, vmcp) => {
    const server = await startServer(vmcp)

    const [first] = await messagesOf(await stateless(server, method))
    const [second] = await messagesOf(await stateless(server, method, { cursor: first.result.nextCursor }))

    expect([first.result[member].length, second.result[member].length]).toEqual([1000, 5])
    expect(second.result.nextCursor).toBeUndefined()
    expect(second.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
  })

  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it.each([
    '!!!bogus!!!',
    42,
    cursorOf({}),
    cursorOf({ k: 'prompts', l: 'a', d: 1 }),
    cursorOf({ k: 'tools', l: '', d: 1 }),
    cursorOf({ k: 'tools', l: 'a', d: -1 }),
    'x'.repeat(513),
  ])('SRV-M050 do not start at %j', async (cursor) => {
    const response = await stateless(await startServer(), 'tools/list', { cursor })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32602 } })
  })

  it.each([undefined, null, ''])('SRV-M050 start with the first at %j', async (cursor) => {
    const [answer] = await messagesOf(
      await stateless(await startServer({ listTools: async () => [tool] }), 'tools/list', { cursor }),
    )

    expect(answer.result.tools).toEqual([tool])
  })
})
