import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { connectClient, type TestClientOptions } from '@vmcp/sdk-adapter/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from './gateway-process.js'
import { descendants, isAlive } from './processes.js'

const config = fileURLToPath(new URL('../examples/01-quick-start/vmcp.yaml', import.meta.url))
const files = fileURLToPath(new URL('../examples/01-quick-start/files', import.meta.url))

const clients: readonly (readonly [string, Pick<TestClientOptions, 'sdk' | 'era'>])[] = [
  ['SDK 1.x', { sdk: 'v1' }],
  ['SDK 2.x, 2025-11-25', { sdk: 'v2', era: '2025' }],
  ['SDK 2.x, 2026-07-28', { sdk: 'v2', era: '2026' }],
]

describe('the quick start', () => {
  let gateway: GatewayProcess

  beforeAll(async () => {
    gateway = await startGateway(config)
  })
  afterAll(() => gateway.stop())

  it('QS-4 reports backends with counts, composite tools, conflicts, the URL and a snippet', () => {
    const report = gateway.output()
    expect(report).toMatch(/everything +stdio +\d+ tools, \d+ resources/)
    expect(report).toMatch(/files +stdio +\d+ tools/)
    expect(report).toContain('greet_and_save')
    expect(report).toContain('Conflicts: none')
    expect(report).toContain(`"url": "${gateway.url}"`)
    expect(gateway.errors()).toMatch(/✓ everything .* in \d+\.\d s/)
  })

  it.each(clients)('QS-1 lists tools with prefixes and calls both backends (%s)', async (_, options) => {
    const client = await connectClient({ ...options, url: gateway.url })
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['everything_echo', 'files_list_directory', 'greet_and_save']))
    expect(names).toEqual([...names].sort())
    expect(await client.callTool('everything_echo', { message: 'hello' })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: hello' }],
    })
    expect(await client.callTool('files_list_directory', { path: '.' })).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('.gitkeep') }],
    })
    await client.close()
  })

  it.each(clients)('QS-2 ERA-2 greets and saves once the user has answered (%s)', async (_, options) => {
    const questions: unknown[] = []
    const file = `greeting-${options.sdk}-${options.era ?? ''}.txt`
    const client = await connectClient({
      ...options,
      url: gateway.url,
      onElicitation: (question) => {
        questions.push(question['message'])
        return { action: 'accept', content: { name: 'Ada' } }
      },
    })
    const result = await client.callTool('greet_and_save', { file })
    expect(result).toMatchObject({ structuredContent: { answer: 'accept', saved: true } })
    expect(questions).toEqual(['Whom shall I greet?'])
    expect(await readFile(`${files}/${file}`, 'utf8')).toBe('Echo: Hello, Ada!')
    await rm(`${files}/${file}`)
    await client.close()
  })

  it.each(clients)('QS-2 saves nothing when the user declines (%s)', async (_, options) => {
    const client = await connectClient({ ...options, url: gateway.url, onElicitation: () => ({ action: 'decline' }) })
    const result = await client.callTool('greet_and_save', { file: 'never.txt' })
    expect(result).toMatchObject({ structuredContent: { answer: 'decline', saved: false } })
    await expect(readFile(`${files}/never.txt`)).rejects.toThrow('ENOENT')
    await client.close()
  })

  it('ERA-1 serves a 2026-07-28 client without a session', async () => {
    const client = await connectClient({ sdk: 'v2', era: 'auto', url: gateway.url })
    expect(client.protocolVersion).toBe('2026-07-28')
    expect(client.sessionId).toBeUndefined()
    expect(client.serverInfo).toMatchObject({ name: 'quick-start' })
    expect((await client.listTools()).length).toBeGreaterThan(10)
    await client.close()
  })
})

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('QS-3 leaves no child process after %s', async (signal) => {
    const gateway = await startGateway(config)
    const children = await descendants(gateway.pid)
    expect(await gateway.stop(signal)).toBe(0)
    expect(children.filter(isAlive)).toEqual([])
  })
})
