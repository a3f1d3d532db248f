import { afterEach, describe, expect, it } from 'vitest'
import type { TestClientOptions } from './index.js'
import { connectClient, startFixtureServer } from './index.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const clients: readonly Omit<TestClientOptions, 'url'>[] = [
  { sdk: 'v1' },
  { sdk: 'v2' },
  { sdk: 'v2', era: 'auto' },
  { sdk: 'v2', era: '2026' },
]

describe.each(clients)('connectClient with SDK $sdk, era $era', (options) => {
  it('lists, calls, reads, hears progress and answers questions', async () => {
    const server = await startFixtureServer()
    open.push(() => server.close())
    const onElicitation = () => ({ action: 'accept', content: { name: 'Ada' } })
    const client = await connectClient({ ...options, url: server.url, onElicitation })
    open.push(() => client.close())

    expect((await client.listTools())[0]).toMatchObject({ name: 'echo', vendorField: { kept: true } })
    expect(await client.callTool('echo', { text: 'hi' })).toMatchObject({ content: [{ text: 'hi' }] })
    const heard: unknown[] = []
    await client.callTool('progress', {}, { onProgress: ({ progress }) => heard.push(progress) })
    expect(heard).toEqual([1, 2, 3])
    const asked = await client.callTool('ask')
    expect(JSON.parse(String((asked['content'] as { text: string }[])[0]?.text))).toEqual(onElicitation())
    expect(await client.readResource('fixture://readme')).toMatchObject({ contents: [{ text: 'read me' }] })
    expect(await client.getPrompt('greet', { who: 'Ada' })).toMatchObject({ description: 'A greeting' })
    await expect(client.callTool('reject')).rejects.toMatchObject({ code: -32055, data: { reason: 'because' } })
  })
})
