import { describe, expect, it } from 'vitest'
import type { OutgoingAuth } from '@vmcp/domain'
import { BackendAuthenticationFailed } from '@vmcp/domain'
import type { RawRequest } from '@vmcp/testing'
import { done, greeting } from '@vmcp/testing'
import { backend, sessionBackend } from './test-support/raw-backends.js'

describe('connectBackend when the session is lost', () => {
  const staleAnswers: readonly (readonly [string, (request: RawRequest) => void])[] = [
    ['404', ({ response }) => void response.writeHead(404).end()],
    ['400 with -32600', (request) => request.error(400, { code: -32600, message: 'Session not found' }, null)],
    [
      '400 with -32000',
      (request) => request.error(400, { code: -32000, message: 'No valid session ID provided' }, null),
    ],
  ]

  it.each(staleAnswers)('case 17 opens one session for any number of parallel calls on %s', async (_name, refuse) => {
    let session = 0
    const server = await sessionBackend({
      initialize: (request) => request.result(greeting, { 'mcp-session-id': `session-${(session += 1)}` }),
      'tools/call': (request) =>
        request.headers['mcp-session-id'] === 'session-1' ? refuse(request) : request.result(done),
    })
    const client = backend(server.url)
    await client.describe(null)
    const results = await Promise.all(Array.from({ length: 20 }, () => client.callTool(null, { name: 'x' })))
    expect(results).toHaveLength(20)
    expect(server.count('initialize')).toBe(2)
  })

  it('gives up after one renewal', async () => {
    const server = await sessionBackend({ 'tools/call': ({ response }) => void response.writeHead(404).end() })
    await expect(backend(server.url).callTool(null, { name: 'x' })).rejects.toMatchObject({
      _tag: 'BackendUnavailable',
      reason: 'http',
      status: 404,
    })
    expect(server.count('initialize')).toBe(2)
    expect(server.count('tools/call')).toBe(2)
  })

  it('says so when the credentials for the renewal cannot be had', async () => {
    let isExpired = false
    const server = await sessionBackend({
      'tools/call': ({ response }) => {
        isExpired = true
        response.writeHead(404).end()
      },
    })
    const auth: OutgoingAuth = {
      type: 'test',
      credentialKey: () => 'one',
      headers: async () => {
        if (isExpired) throw new BackendAuthenticationFailed('b1')
        return { authorization: 'Bearer x' }
      },
    }
    await expect(backend(server.url, { auth }).callTool(null, { name: 'x' })).rejects.toMatchObject({
      _tag: 'BackendAuthenticationFailed',
    })
  })

  it('tells subscribers that lists may differ after a renewal', async () => {
    let calls = 0
    const server = await sessionBackend({
      'tools/call': (request) =>
        (calls += 1) === 1 ? void request.response.writeHead(404).end() : request.result(done),
    })
    const client = backend(server.url)
    const heard: unknown[] = []
    client.subscribe((event) => heard.push(event))
    await client.callTool(null, { name: 'x' })
    expect(heard).toContainEqual({ type: 'list-changed', list: 'tools' })
  })

  it('a probe does not open a session in place of one that others use', async () => {
    const server = await sessionBackend({ ping: ({ response }) => void response.writeHead(404).end() })
    const client = backend(server.url)
    await client.describe(null)
    await client.probe()
    expect(server.count('initialize')).toBe(1)
  })

  it('ends the session on close', async () => {
    const server = await sessionBackend({ DELETE: ({ response }) => void response.writeHead(200).end() })
    const client = backend(server.url)
    await client.describe(null)
    await client.close()
    const ended = server.requests.find(({ httpMethod }) => httpMethod === 'DELETE')
    expect(ended?.headers['mcp-session-id']).toBe('session-1')
  })
})
