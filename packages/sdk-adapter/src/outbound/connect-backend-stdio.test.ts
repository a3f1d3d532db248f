import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, LogFields, Logger } from '@vmcp/domain'
import { silentLogger, text } from '@vmcp/domain'
import type { StdioFixtureOptions } from '../testing/index.js'
import { stdioFixture } from '../testing/index.js'
import type { ConnectOptions } from './backend-target.js'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

function backend(
  options: StdioFixtureOptions = { sdk: 'none' },
  more: Partial<ConnectOptions> = {},
): Required<BackendClient> {
  return keep(connectBackend({ id: 'local', target: { transport: 'stdio', ...stdioFixture(options) }, ...more }))
}

function program(command: string, args: readonly string[] = [], more: Partial<ConnectOptions> = {}) {
  return keep(connectBackend({ id: 'local', target: { transport: 'stdio', command, args }, ...more }))
}

function keep(client: BackendClient): Required<BackendClient> {
  open.push(() => client.close())
  return client as Required<BackendClient>
}

async function answerOf(client: Required<BackendClient>, name: string, input = {}): Promise<string> {
  const result = (await client.callTool(null, { name, arguments: input })) as { readonly content?: unknown }
  const [block] = result.content as readonly { readonly text: string }[]
  return block?.text ?? ''
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

const servers: readonly (StdioFixtureOptions & { readonly speaks: string })[] = [
  { sdk: 'v1', speaks: '2025-11-25' },
  { sdk: 'v2', era: '2025', speaks: '2025-11-25' },
  { sdk: 'v2', era: 'both', speaks: '2025-11-25' },
  { sdk: 'v2', era: '2026', speaks: '2026-07-28' },
]

describe.each(servers)('connectBackend with a process of SDK $sdk, era $era', ({ speaks, ...options }) => {
  it('describes it, calls it and relays its progress', async () => {
    const client = backend(options)
    expect((await client.describe(null)).protocolVersion).toBe(speaks)
    expect(await client.callTool(null, { name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [text('hi')],
    })
    const heard: number[] = []
    await client.callTool(
      null,
      { name: 'progress' },
      {
        client: {
          capabilities: {},
          answers: 'push',
          wantsProgress: true,
          notify: (notification) => notification.type === 'progress' && heard.push(notification.progress),
        },
      },
    )
    expect(heard).toEqual([1, 2, 3])
  })
})

describe('connectBackend with a process', () => {
  it('gives it the declared environment and working folder, and nothing secret of ours', async () => {
    process.env['VMCP_TEST_SECRET'] = 'do not hand on'
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'vmcp-')))
    const target = { transport: 'stdio' as const, ...stdioFixture({ sdk: 'none' }), env: { DECLARED: 'yes' }, cwd }
    const client = keep(connectBackend({ id: 'local', target }))
    const env = JSON.parse(await answerOf(client, 'env'))
    expect(env).toMatchObject({ DECLARED: 'yes', PATH: process.env['PATH'] })
    expect(env).not.toHaveProperty('VMCP_TEST_SECRET')
    expect(await answerOf(client, 'cwd')).toBe(cwd)
    delete process.env['VMCP_TEST_SECRET']
  })

  it('names a command that does not exist', async () => {
    await expect(program('npx-that-is-not-there').describe(null)).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      reason: 'unreachable',
      message: 'backend unavailable: local (command not found: npx-that-is-not-there)',
    })
  })

  it('names a working folder that does not exist', async () => {
    const target = { transport: 'stdio' as const, command: process.execPath, cwd: '/does/not/exist' }
    const client = keep(connectBackend({ id: 'local', target }))
    await expect(client.describe(null)).rejects.toMatchObject({
      message: 'backend unavailable: local (working directory not found: /does/not/exist)',
    })
  })

  it('names the exit code of a process that ends before it answers, and gives its last words to the log only', async () => {
    const warned: (LogFields | undefined)[] = []
    const logger: Logger = { ...silentLogger, warn: (_message, fields) => void warned.push(fields) }
    const client = program(process.execPath, ['-e', 'console.error("no licence"); process.exit(7)'], { logger })
    const failure = await client.describe(null).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: 'backend unavailable: local (the process exited with code 7 before answering)',
    })
    expect(warned[0]).toMatchObject({ stderr: 'no licence' })
  })

  it('does not start it again at once when it keeps failing', async () => {
    const client = program(process.execPath, ['-e', 'process.exit(7)'])
    await expect(client.describe(null)).rejects.toThrow('exited with code 7')
    await expect(client.describe(null)).rejects.toThrow('exited with code 7')
    const before = performance.now()
    await expect(client.describe(null)).rejects.toThrow('exited with code 7')
    expect(performance.now() - before).toBeLessThan(15)
  })

  it('REL-B1 fails the calls of a process that dies, and starts another for the next call', async () => {
    const client = backend()
    const first = await answerOf(client, 'pid')
    await expect(client.callTool(null, { name: 'crash' })).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      reason: 'closed',
    })
    expect(await answerOf(client, 'pid')).not.toBe(first)
  })

  it('tells subscribers that lists may have changed once it runs again', async () => {
    const client = backend()
    const heard: unknown[] = []
    client.subscribe((event) => heard.push(event))
    await client.callTool(null, { name: 'crash' }).catch(() => {})
    await client.describe(null)
    expect(heard).toContainEqual({ type: 'list-changed', list: 'tools' })
  })

  it('ignores what is no message on its output', async () => {
    expect(await answerOf(backend(), 'noise')).toBe('done')
  })

  it('refuses an answer over the limit by name and goes on', async () => {
    const client = backend({ sdk: 'none' }, { limits: { maxMessageBytes: 100_000 } })
    await expect(client.callTool(null, { name: 'big', arguments: { size: 300_000 } })).rejects.toMatchObject({
      reason: 'too-large',
    })
    expect(await answerOf(client, 'big', { size: 90_000 })).toHaveLength(90_000)
  })

  it('cancels one call and leaves the others alone', async () => {
    const client = backend()
    const controller = new AbortController()
    const hanging = client.callTool(null, { name: 'hang' }, { signal: controller.signal })
    const echo = answerOf(client, 'echo', { text: 'meanwhile' })
    expect(await echo).toBe('meanwhile')
    controller.abort()
    await expect(hanging).rejects.toMatchObject({ _tag: 'Cancelled' })
    expect(await answerOf(client, 'echo', { text: 'after' })).toBe('after')
  })

  it('starts one process however many calls wait for it', async () => {
    const client = backend()
    const pids = await Promise.all(Array.from({ length: 8 }, () => answerOf(client, 'pid')))
    expect(new Set(pids).size).toBe(1)
  })

  it('starts a process for each credential', async () => {
    const auth = {
      type: 'test',
      credentialKey: () => String((calls += 1)),
      headers: async () => ({}),
    }
    let calls = 0
    const client = backend({ sdk: 'none' }, { auth })
    expect(await answerOf(client, 'pid')).not.toBe(await answerOf(client, 'pid'))
  })

  it('ends the process and all it started on close', async () => {
    const client = backend()
    const own = Number(await answerOf(client, 'pid'))
    const grandchild = Number(await answerOf(client, 'grandchild'))
    expect(isAlive(grandchild)).toBe(true)
    await client.close()
    await client.close()
    await until(() => !isAlive(own) && !isAlive(grandchild))
  })

  it('kills a process that does not listen to requests to end', async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.error(process.pid)'
    let pid = 0
    const logger: Logger = { ...silentLogger, debug: (_message, fields) => void (pid = Number(fields?.['text'])) }
    const client = program(process.execPath, ['-e', stubborn], { logger })
    const describing = client.describe(null).catch((error: unknown) => error)
    await until(() => pid > 0)
    await client.close()
    await until(() => !isAlive(pid))
    expect(await describing).toMatchObject({ _tag: 'Cancelled' })
  })

  it('stops an opening that nobody waits for any more', async () => {
    let pid = 0
    const logger: Logger = { ...silentLogger, debug: (_message, fields) => void (pid = Number(fields?.['text'])) }
    const client = program(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.error(process.pid)'], {
      logger,
    })
    const controller = new AbortController()
    const describing = client.describe(null, { signal: controller.signal }).catch((error: unknown) => error)
    await until(() => pid > 0)
    controller.abort()
    expect(await describing).toMatchObject({ _tag: 'Cancelled' })
    await until(() => !isAlive(pid))
  })
})
