import { Cancellation } from '@vmcp/domain'
import type { VMCP } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { createEndpoint } from './endpoint.js'
import type { Exchange, Responder, SessionRegistry } from './exchange.js'
import { wholeText } from './wire/json-rpc.js'

const serverInfo = { name: 'vmcp', version: '1.0.0' }

describe('createEndpoint', () => {
  it('can be driven without any server: a message in, a document out', async () => {
    const endpoint = createEndpoint(listing([{ name: 'echo', inputSchema: {} }]), { serverInfo, sessions: noSessions })

    const answer = await exchangeOf(endpoint, request('tools/list'))

    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({ id: 1, result: { tools: [{ name: 'echo' }] } })
  })

  it('serialises an unchanged list once', async () => {
    let serialised = 0
    const tool = { name: 'echo', inputSchema: { toJSON: () => ((serialised += 1), {}) } }
    const endpoint = createEndpoint(listing([tool]), { serverInfo, sessions: noSessions })

    const texts = [await exchangeOf(endpoint, request('tools/list')), await exchangeOf(endpoint, request('tools/list'))]

    expect(serialised).toBe(1)
    expect(texts[0]).toEqual(texts[1])
  })

  it('tells a client to try again when the registry fails, without its detail', async () => {
    const sessions = { ...noSessions, claim: () => Promise.reject(new Error('redis://secret')) }
    const endpoint = createEndpoint(listing([]), { serverInfo, sessions })

    const answer = await exchangeOf(endpoint, {
      message: { jsonrpc: '2.0', id: 7, method: 'ping' },
      headers: { 'mcp-session-id': 'x' },
    })

    expect(JSON.parse(answer.text)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32603, message: 'sessions are unavailable' },
    })
  })

  it('lets go of a session whose client left before its stream was open', async () => {
    let held = 0
    const sessions: SessionRegistry = {
      ...noSessions,
      open: async () => 'x',
      claim: () => true,
      hold: () => {
        held += 1
        return () => (held -= 1)
      },
    }
    const endpoint = createEndpoint(listing([]), { serverInfo, sessions })
    await exchangeOf(endpoint, { message: initializing, headers: {} })
    const cancellation = new Cancellation()
    cancellation.cancel()
    const stream = { send: () => {}, end: () => {} }

    await endpoint.handle({
      kind: 'listen',
      headers: { 'mcp-session-id': 'x' },
      identity: null,
      cancellation,
      responder: { json: () => {}, stream: () => stream },
    })

    expect(held).toBe(0)
  })

  it('answers a session that another process opened like an unknown one', async () => {
    const sessions = { ...noSessions, claim: async () => true }
    const endpoint = createEndpoint(listing([]), { serverInfo, sessions })

    const answer = await exchangeOf(endpoint, {
      message: { jsonrpc: '2.0', id: 7, method: 'ping' },
      headers: { 'mcp-session-id': 'x' },
    })

    expect(answer.status).toBe(404)
  })
})

const initializing = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

const noSessions: SessionRegistry = {
  open: async () => undefined,
  claim: async () => false,
  hold: () => () => {},
  end: async () => {},
}

function listing(tools: Awaited<ReturnType<VMCP['listTools']>>): VMCP {
  const missing = () => Promise.reject(new Error('not asked for'))
  return {
    listTools: async () => tools,
    callTool: missing,
    listResources: missing,
    listResourceTemplates: missing,
    readResource: missing,
    listPrompts: missing,
    getPrompt: missing,
    complete: missing,
    lookupTool: missing,
    lookupResource: missing,
    lookupPrompt: missing,
    close: async () => {},
  }
}

function request(method: string): { readonly message: unknown; readonly headers: Exchange['headers'] } {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    message: { jsonrpc: '2.0', id: 1, method, params: { _meta } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
  }
}

async function exchangeOf(
  endpoint: ReturnType<typeof createEndpoint>,
  asked: ReturnType<typeof request>,
): Promise<{ readonly status: number; readonly text: string }> {
  const answers: { status: number; text: string }[] = []
  const responder: Responder = {
    json: (status, text = '') => {
      answers.push({ status, text: wholeText(text) })
    },
    stream: () => {
      throw new Error('no stream is expected')
    },
  }
  const cancellation = new Cancellation()
  await endpoint.handle({ kind: 'message', identity: null, acceptsStream: false, cancellation, responder, ...asked })
  return answers[0] ?? { status: 0, text: '' }
}
