import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BackendClient, Logger } from '@vmcp/domain'
import { silentLogger } from '@vmcp/domain'
import type { BackendLimits } from './backend-target.js'
import { connectBackend } from './connect-backend.js'

const open: BackendClient[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

/** A program that runs `source` for each request it reads; `message` is the request, `answer` writes a line. */
function program(source: string, limits: BackendLimits = {}, logger = silentLogger): BackendClient {
  const script = `
    const answer = (fields) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...fields }) + '\\n')
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line)
      if (message.id !== undefined) { ${source} }
    })`
  const target = { transport: 'stdio' as const, command: process.execPath, args: ['-e', script] }
  const client = connectBackend({ id: 'local', target, limits, logger })
  open.push(client)
  return client
}

/** What came of describing it, and after how many milliseconds. */
async function outcomeOf(client: BackendClient): Promise<{ readonly failure: unknown; readonly ms: number }> {
  const start = performance.now()
  const failure: unknown = await client.describe(null).catch((error: unknown) => error)
  return { failure, ms: performance.now() - start }
}

const refusal = "error: { code: -32601, message: 'no' }"

describe('connectBackend with a program that refuses every handshake', () => {
  it.each([
    ['by name', `answer({ id: message.id, ${refusal} })`],
    ['without saying which request it means', `answer({ id: null, ${refusal} })`],
    ['without an id', `answer({ ${refusal} })`],
  ])('REL-B4 fails at once, %s', async (_how, source) => {
    const { failure, ms } = await outcomeOf(program(source))
    expect(failure).toMatchObject({
      _tag: 'BackendUnavailable',
      reason: 'protocol',
      message: 'backend unavailable: local (it refused the MCP handshake (code -32601))',
    })
    expect(ms).toBeLessThan(3_000)
  })

  it('does not wait for the last process to end', async () => {
    let pid = 0
    const logger: Logger = {
      ...silentLogger,
      debug: (_message, fields) => void (pid = Number(fields?.['text'] ?? pid)),
    }
    const source = `
      if (message.method === 'server/discover') {
        process.on('SIGTERM', () => {})
        setInterval(() => {}, 1000)
        console.error(process.pid)
      }
      setTimeout(() => answer({ id: message.id, ${refusal} }), 100)`
    const { failure } = await outcomeOf(program(source, {}, logger))
    expect(failure).toMatchObject({ reason: 'protocol' })
    await vi.waitFor(() => expect(pid).toBeGreaterThan(0))
    expect(() => process.kill(pid, 0)).not.toThrow()
  })
})

describe('connectBackend with a program that answers no handshake', () => {
  it('fails at one deadline for all of it', async () => {
    const { failure, ms } = await outcomeOf(program('', { startTimeoutMs: 300 }))
    expect(failure).toMatchObject({ _tag: 'BackendTimeout', timeoutMs: 300 })
    expect(ms).toBeLessThan(2_500)
  })

  it('has the same deadline for the second handshake', async () => {
    const source = `if (message.method === 'initialize') answer({ id: message.id, ${refusal} })`
    const { failure } = await outcomeOf(program(source, { startTimeoutMs: 400 }))
    expect(failure).toMatchObject({ _tag: 'BackendTimeout', timeoutMs: 400 })
  })

  it('fails at once when its output is closed', async () => {
    const { failure, ms } = await outcomeOf(program("require('fs').closeSync(1)"))
    expect(failure).toMatchObject({
      message: 'backend unavailable: local (the process closed its output before answering)',
    })
    expect(ms).toBeLessThan(3_000)
  })

  it('is not started again within a second of its second failure', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = await mkdtemp(join(tmpdir(), 'vmcp-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'starts')
    const startsAfter = async (client: BackendClient) => {
      const { failure } = await outcomeOf(client)
      expect(failure).toMatchObject({ message: expect.stringContaining('closed its output') })
      return (await readFile(file, 'utf8')).length
    }
    const client = program(`const fs = require('fs'); fs.appendFileSync(${JSON.stringify(file)}, '.'); fs.closeSync(1)`)
    expect(await startsAfter(client)).toBe(1)
    expect(await startsAfter(client)).toBe(2)
    vi.setSystemTime(Date.now() + 999)
    expect(await startsAfter(client)).toBe(2)
    vi.setSystemTime(Date.now() + 1)
    expect(await startsAfter(client)).toBe(3)
  })
})
