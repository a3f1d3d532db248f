import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, CallNotification } from '@vmcp/domain'
import { Identity } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { calledTool, done, fakeChannel, startSessionBackend } from '@vmcp/testing'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const ada = new Identity({ issuer: 'i', subject: 'ada' })
const bob = new Identity({ issuer: 'i', subject: 'bob' })

/** A client of 2025 that opens URLs, and what it heard of them. */
function urlClient() {
  return fakeChannel({ capabilities: { elicitation: { url: true } }, forward: () => ({ action: 'accept' }) })
}

const urlQuestion = (elicitationId: string) => ({
  mode: 'url',
  message: 'Sign in',
  url: 'https://example.com/sign-in',
  elicitationId,
})

const complete = (elicitationId: string): CallNotification => ({ type: 'elicitation-complete', elicitationId })

/** Sends what a tool is called to report, on a stream of its choice. */
async function signInBackend(): Promise<Required<BackendClient>> {
  let sessions = 0
  const streams = new Map<string, RawRequest>()
  const streamOf = ({ headers }: RawRequest) => streams.get(String(headers['mcp-session-id']))
  const server = await startSessionBackend({
    initialize: (request) => {
      sessions += 1
      const protocolVersion = '2025-11-25'
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      request.result(result, { 'mcp-session-id': `s${sessions}` })
    },
    GET: (request) => {
      streams.set(String(request.headers['mcp-session-id']), request)
      request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    },
    DELETE: ({ response }) => void response.writeHead(200).end(),
    'tools/call': async (request) => {
      const { name, input } = calledTool(request)
      const id = String(input['id'])
      const report = { jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId: id } }
      if (name === 'require') {
        const data = { elicitations: [urlQuestion(id)] }
        return request.error(200, { code: -32042, message: 'Sign in first', data })
      }
      if (name === 'ask') await request.ask('elicitation/create', urlQuestion(id))
      if (name === 'report-apart') streamOf(request)?.send(report)
      else request.send(report)
      request.result(done)
    },
  })
  open.push(() => server.close())
  const client = connectBackend({ id: 'b1', target: { transport: 'streamable-http', url: server.url } })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

function call(name: string, id: string) {
  return { name, arguments: { id } }
}

describe('connectBackend and an elicitation by URL that is complete', () => {
  it('tells the client of the call that asked', async () => {
    const wire = await signInBackend()
    const client = urlClient()
    await wire.callTool(ada, call('ask', 'e1'), { client })
    expect(client.notifications).toEqual([complete('e1')])
  })

  it('relays the refusal that requires it, and tells that client later, whichever call it has then', async () => {
    const wire = await signInBackend()
    const [first, second] = [urlClient(), urlClient()]
    await expect(wire.callTool(ada, call('require', 'e2'), { client: first })).rejects.toMatchObject({
      _tag: 'BackendRejected',
      code: -32042,
      data: { elicitations: [urlQuestion('e2')] },
    })
    await wire.callTool(ada, call('report', 'e2'), { client: second })
    await wire.callTool(ada, call('report', 'e2'), { client: second })
    expect([first.notifications, second.notifications]).toEqual([[complete('e2')], []])
  })

  it('hears of it apart from any call', async () => {
    const wire = await signInBackend()
    let hear = (_notification: CallNotification) => {}
    const told = new Promise<CallNotification>((resolve) => (hear = resolve))
    const client = { ...urlClient(), notify: hear }
    await wire.callTool(ada, call('require', 'e3'), { client }).catch(() => {})
    await wire.callTool(ada, call('report-apart', 'e3'), { client: urlClient() })
    expect(await told).toEqual(complete('e3'))
  })

  it('tells nobody of one that no call of theirs had', async () => {
    const wire = await signInBackend()
    const [mine, theirs] = [urlClient(), urlClient()]
    await wire.callTool(ada, call('require', 'e4'), { client: mine }).catch(() => {})
    await wire.callTool(bob, call('report', 'e4'), { client: theirs })
    await wire.callTool(bob, call('report', 'e5'), { client: theirs })
    expect([mine.notifications, theirs.notifications]).toEqual([[], []])
  })
})
