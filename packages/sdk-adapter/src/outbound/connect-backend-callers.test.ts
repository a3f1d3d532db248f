import { describe, expect, it } from 'vitest'
import type { Identity, OutgoingAuth } from '@vmcp/domain'
import { answerStream, answerText, done, greeting, statelessDone } from '@vmcp/testing'
import { backend, sessionBackend, statelessBackend } from './test-support/raw-backends.js'

describe('connectBackend and callers', () => {
  it('shares a session only between callers with the same credential, and sends each its own', async () => {
    let session = 0
    const server = await sessionBackend({
      initialize: (request) => request.result(greeting, { 'mcp-session-id': `s-${(session += 1)}` }),
      'tools/call': (request) => request.result(done),
    })
    const client = backend(server.url, { auth: bearer((identity) => identity?.subject ?? 'nobody') })
    const ada = { subject: 'ada' } as Identity
    const bob = { subject: 'bob' } as Identity
    for (const identity of [ada, bob, ada]) await client.callTool(identity, { name: 'x' })
    const calls = server.requests.filter(({ message }) => message['method'] === 'tools/call')
    const seen = calls.map(({ headers }) => [headers['authorization'], headers['mcp-session-id']])
    expect(seen).toEqual([
      ['Bearer ada', 's-1'],
      ['Bearer bob', 's-2'],
      ['Bearer ada', 's-1'],
    ])
  })

  it('hands a notification to the call it belongs to and to no other', async () => {
    const server = await statelessBackend({
      'tools/call': (request) => {
        const data = (request.message['params'] as { readonly name: string }).name
        const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } }
        answerStream(request, `data: ${JSON.stringify(log)}\n\ndata: ${answerText(request, statelessDone)}\n\n`)
      },
    })
    const client = backend(server.url)
    const listen = () => {
      const heard: unknown[] = []
      const notify = (notification: unknown) => void heard.push((notification as { readonly data: unknown }).data)
      return { heard, channel: { capabilities: {}, answers: 'push' as const, wantsProgress: false, notify } }
    }
    const one = listen()
    const two = listen()
    await Promise.all([
      client.callTool(null, { name: 'one' }, { client: one.channel }),
      client.callTool(null, { name: 'two' }, { client: two.channel }),
    ])
    expect(one.heard).toEqual(['one'])
    expect(two.heard).toEqual(['two'])
  })

  it('takes up a stream that its server closed before the answer', async () => {
    let id: unknown
    const server = await sessionBackend({
      'tools/call': (request) => {
        id = request.message['id']
        answerStream(request, 'id: e1\nretry: 10\ndata: \n\n')
      },
      GET: (request) => {
        if (request.headers['last-event-id'] !== 'e1') return void request.response.writeHead(405).end()
        return answerStream(request, `id: e2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: done })}\n\n`)
      },
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
    expect(server.count('tools/call')).toBe(1)
  })

  it('AGG-M16 reads events with many data lines, CRLF and no last blank line', async () => {
    const server = await statelessBackend({
      'tools/call': (request) => {
        const answer = JSON.stringify(JSON.parse(answerText(request, statelessDone)), null, 1)
        answerStream(
          request,
          `event: message\r\n${answer
            .split('\n')
            .map((line) => `data: ${line}\r\n`)
            .join('')}`,
        )
      },
    })
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
  })

  it('refuses what a backend asks of a client that declared nothing', async () => {
    const answered: unknown[] = []
    const server = await sessionBackend({
      'tools/call': (request) => {
        const ask = { jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: { message: 'who?' } }
        request.response.writeHead(200, { 'content-type': 'text/event-stream' })
        request.response.write(`data: ${JSON.stringify(ask)}\n\n`)
        finish = () => request.response.end(`data: ${answerText(request, done)}\n\n`)
      },
      POST: ({ message, response }) => {
        answered.push(message)
        response.writeHead(202).end()
        finish()
      },
    })
    let finish = () => {}
    expect(await backend(server.url).callTool(null, { name: 'x' })).toEqual(done)
    expect(answered).toMatchObject([{ id: 'q1', error: { code: -32601 } }])
  })

  it('AGG-L19 ignores a notification it does not know', async () => {
    const odd = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/odd', params: {} })
    const server = await statelessBackend({
      'tools/call': (request) =>
        answerStream(request, `data: ${odd}\n\ndata: ${answerText(request, statelessDone)}\n\n`),
    })
    const heard: unknown[] = []
    const client = { capabilities: {}, answers: 'push' as const, wantsProgress: true, notify: heard.push.bind(heard) }
    expect(await backend(server.url).callTool(null, { name: 'x' }, { client })).toEqual(done)
    expect(heard).toEqual([])
  })

  it('AGG-L20 AGG-M23 asks for log messages in the way of each era', async () => {
    const logging = { ...greeting, capabilities: { tools: {}, logging: {} } }
    const session = await sessionBackend({
      initialize: (request) => request.result(logging, { 'mcp-session-id': 's' }),
      'logging/setLevel': (request) => request.result({}),
      'tools/call': (request) => request.result(done),
    })
    const stateless = await statelessBackend({ 'tools/call': (request) => request.result(statelessDone) })
    const client = { capabilities: {}, answers: 'push' as const, wantsProgress: false, notify: () => {} }
    for (const { url } of [session, stateless]) await backend(url).callTool(null, { name: 'x' }, { client })
    expect(session.count('logging/setLevel')).toBe(1)
    expect(stateless.count('logging/setLevel')).toBe(0)
    expect(stateless.requests.at(-1)?.message['params']).toMatchObject({
      _meta: { 'io.modelcontextprotocol/logLevel': 'debug' },
    })
  })
})

function bearer(token: (identity: Identity | null) => string): OutgoingAuth {
  return {
    type: 'test',
    credentialKey: token,
    headers: async (identity) => ({ Authorization: `Bearer ${token(identity)}` }),
  }
}
