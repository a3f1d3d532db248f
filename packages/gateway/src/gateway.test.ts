import type { InputRequired, VMCP } from '@vmcp/domain'
import { silentLogger } from '@vmcp/domain'
import {
  done,
  fakeChannel,
  openRawSession,
  startSessionBackend,
  startSessionProgram,
  startStatelessBackend,
  statelessDone,
} from '@vmcp/testing'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseConfig } from './config/load.js'
import { createGatewayCore, startGateway } from './gateway.js'

describe('createGatewayCore', () => {
  it('names the outgoing strategy of a backend that gets credentials', async () => {
    const source = `name: demo
backends:
  - { name: bare, url: 'http://127.0.0.1:1/mcp' }
  - { name: keyed, url: 'http://127.0.0.1:1/mcp' }
outgoingAuth:
  backends: { keyed: { type: header_injection, headerInjection: { headerName: X-Key, headerValue: k } } }
`
    const vmcp = createGatewayCore(parseConfig('vmcp.yaml', source, {}), { logger: silentLogger })
    const authentications = vmcp.listAllBackends().map(({ id, authentication }) => [id, authentication])
    await vmcp.close()
    expect(authentications).toEqual([
      ['bare', undefined],
      ['keyed', 'header_injection'],
    ])
  })

  it('seals what a backend gives a client to send back, for every replica with the same keys', async () => {
    const states: unknown[] = []
    const backend = await startStatelessBackend({
      'tools/list': (request) => request.result({ resultType: 'complete', tools: [{ name: 'ask', inputSchema: {} }] }),
      'tools/call': (request) => {
        const { requestState } = request.message['params'] as { readonly requestState?: string }
        states.push(requestState)
        request.result(requestState ? statelessDone : { resultType: 'input_required', requestState: 'step-2' })
      },
    })
    const source = `name: demo
backends: [{ name: b, url: '${backend.url}' }]
suspension: { keys: [{ id: k1, secretEnv: STATE_KEY }] }
`
    const replica = (key: number) => {
      const environment = { STATE_KEY: Buffer.alloc(32, key).toString('base64') }
      return createGatewayCore(parseConfig('vmcp.yaml', source, environment), { logger: silentLogger })
    }
    const replicas = [replica(1), replica(1), replica(2)] as const
    const [one, two, other] = replicas
    const options = { client: fakeChannel({ answers: 'retry' }) }
    const asked = (await one.callTool(null, { name: 'b_ask' }, options)) as Required<InputRequired>
    expect(asked.requestState).not.toContain('step-2')
    const retry = { name: 'b_ask', requestState: asked.requestState }
    await expect(other.callTool(null, retry, options)).rejects.toMatchObject({ _tag: 'InvalidRequestState' })
    await two.callTool(null, retry, options)
    expect(states).toEqual([undefined, 'step-2'])
    await Promise.all([...replicas, backend].map((each) => each.close()))
  })
})

describe('a backend that answers late, with `firstAnswer: 0s`', () => {
  it('is waited for by createGatewayCore, though startGateway lists without it', async () => {
    let answerLate = () => {}
    const untilReleased = new Promise<void>((resolve) => (answerLate = resolve))
    const late = await startListing('echo', () => untilReleased)
    const quick = await startListing('echo')
    const source = `name: demo
backends:
  - { name: late, url: '${late.url}' }
  - { name: quick, url: '${quick.url}' }
operational: { timeouts: { firstAnswer: 0s } }
`
    const oneShot = createGatewayCore(parseConfig('vmcp.yaml', source, {}), { logger: silentLogger })
    onTestFinished(() => oneShot.close())
    const listed = namesOf(oneShot.listTools(null))
    await vi.waitFor(() => expect(quick.count('tools/list')).toBe(1), { timeout: 10_000 })
    const { vmcp } = await serveFile(source)
    expect(await namesOf(vmcp.listTools(null))).toEqual(['quick_echo'])
    answerLate()
    expect(await listed).toEqual(['late_echo', 'quick_echo'])
  })
})

async function namesOf(listing: ReturnType<VMCP['listTools']>): Promise<readonly string[]> {
  return (await listing).map(({ name }) => name)
}

/** A backend of one tool, which it lists once `ready` has ended. */
async function startListing(name: string, ready = async () => {}) {
  const server = await startSessionBackend({
    'tools/list': async (request) => {
      await ready()
      request.result({ tools: [{ name, inputSchema: { type: 'object' } }] })
    },
    'resources/list': (request) => request.result({ resources: [] }),
    'resources/templates/list': (request) => request.result({ resourceTemplates: [] }),
  })
  onTestFinished(() => server.close())
  return server
}

/** Serves a configuration until the test ends. */
async function serveFile(source: string) {
  const config = parseConfig('vmcp.yaml', source, {})
  const gateway = await startGateway(config, { host: '127.0.0.1', port: 0, logger: silentLogger })
  onTestFinished(() => gateway.close())
  return gateway
}

/** A port that takes connections and never says a word. */
async function hangingPort(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('startGateway', () => {
  it('lists without a backend that hangs from the start, and says that it is missing', async () => {
    const backend = await startListing('echo')
    const { url, vmcp } = await serveFile(`name: demo
backends:
  - { name: hanging, url: 'http://127.0.0.1:${await hangingPort()}/mcp' }
  - { name: quick, url: '${backend.url}' }
`)
    const start = performance.now()
    const { result } = await (await openRawSession(url)).request('tools/list')
    expect(performance.now() - start).toBeLessThan(5_000) // The first health check of it ends after ten seconds.
    expect(result['tools']).toMatchObject([{ name: 'quick_echo' }])
    expect((await vmcp.report(null)).findings).toMatchObject([{ backendId: 'hanging', reason: 'backend-failed' }])
  })

  it('protocol 45 brings the news of changed folders to the program that the client called, which can ask for them', async () => {
    const answers: unknown[] = []
    const program = await startSessionProgram({
      'tools/list': (line) => line.result({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
      'resources/list': (line) => line.result({ resources: [] }),
      'resources/templates/list': (line) => line.result({ resourceTemplates: [] }),
      'tools/call': (line) => line.result(done),
      'notifications/roots/list_changed': async (line) => void answers.push(await line.ask('roots/list')),
    })
    onTestFinished(() => program.close())
    const { command, args } = program
    const { url } = await serveFile(JSON.stringify({ name: 'demo', backends: [{ name: 'b', command, args }] }))
    const session = await openRawSession(url, {
      capabilities: { roots: { listChanged: true } },
      onRequest: () => ({ result: { roots: [{ uri: 'file:///work' }] } }),
    })
    const listening = new AbortController()
    onTestFinished(() => listening.abort())
    await session.listen(() => {}, listening.signal)
    await session.call('b_echo')
    await session.notify('notifications/roots/list_changed')
    await vi.waitFor(() => expect(answers).toMatchObject([{ result: { roots: [{ uri: 'file:///work' }] } }]))
  })
})
