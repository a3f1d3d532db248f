import type { RawRequest } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { calledTool } from '@vmcp/testing'
import { greetingWith, httpBackend, textOf, textResult, tool } from './backends.js'
import { openGateway } from './open-gateway.js'

/** A backend that forgets its first session when told to, and then refuses it in its way. */
async function forgetful(refuse: (request: RawRequest) => void) {
  let opened = 0
  let forgot = false
  const backend = await httpBackend([tool('t')], {
    initialize: (request) => {
      opened += 1
      request.result(greetingWith({ tools: {} }), { 'mcp-session-id': `session-${opened}` })
    },
    'tools/call': (request) => {
      if (forgot && request.headers['mcp-session-id'] === 'session-1') return refuse(request)
      request.result(textResult(String(calledTool(request).input['n'])))
    },
  })
  const gateway = await openGateway({ b1: backend })
  const client = await gateway.session()
  expect(textOf((await client.call('b1_t', { n: 'first' })).result)).toBe('first')
  return { backend, client, forget: () => (forgot = true), opened: () => opened }
}

describe('a backend that restarted', () => {
  it.each<[string, (request: RawRequest) => void]>([
    ['404', ({ response }) => void response.writeHead(404).end()],
    ['400 -32600', (request) => request.error(400, { code: -32600, message: 'Session not found' }, null)],
  ])('CASE-17 and says %s gets one new session for 20 parallel calls, which all succeed', async (_, refuse) => {
    const waiting: RawRequest[] = []
    const { client, forget, opened, backend } = await forgetful((request) => {
      if (waiting.push(request) === 20) waiting.forEach(refuse)
    })
    const before = opened()
    forget()
    const answers = await Promise.all(Array.from({ length: 20 }, (__, n) => client.call('b1_t', { n })))
    expect(answers.map(({ result }) => textOf(result))).toEqual(Array.from({ length: 20 }, (__, n) => String(n)))
    expect(opened() - before).toBe(1)
    expect(backend.count('tools/call')).toBe(1 + 20 + 20)
  })

  it('CASE-17 and says 401 gets no new session, and its caller reads of failed credentials', async () => {
    const { client, forget, opened, backend } = await forgetful(({ response }) => void response.writeHead(401).end())
    const before = opened()
    forget()
    const { result } = await client.call('b1_t', { n: 1 })
    expect(result).toMatchObject({ isError: true })
    expect(String(textOf(result))).toContain('authentication')
    expect(opened()).toBe(before)
    expect(backend.count('tools/call')).toBe(2)
  })

  it('CASE-17 and resets the connection after the headers is not called again', async () => {
    const { client, forget, backend } = await forgetful(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"jsonrpc"')
      setImmediate(() => response.destroy())
    })
    forget()
    const started = performance.now()
    const { result } = await client.call('b1_t', { n: 1 })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(result).toMatchObject({ isError: true })
    expect(backend.count('tools/call')).toBe(2)
  })
})
