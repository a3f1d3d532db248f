import type { OutgoingAuth } from '@vmcp/domain'
import { BackendAuthenticationFailed, Identity } from '@vmcp/domain'
import { done, recordingLogger, rejection, statelessDone } from '@vmcp/testing'
import { describe, expect, it, vi } from 'vitest'
import { backend, sessionBackend, statelessBackend } from './test-support/raw-backends.js'

const ada = new Identity({ issuer: 'i', subject: 'ada' })
const bob = new Identity({ issuer: 'i', subject: 'bob' })

/** Credentials that are the same for everybody, and cannot be had in any other way. */
function fixedAuth(fixedHeaders: () => Readonly<Record<string, string>>) {
  return {
    type: 'test',
    credentialKey: () => 'k',
    fixedHeaders: vi.fn(fixedHeaders),
    headers: vi.fn(() => Promise.reject(new BackendAuthenticationFailed('b1'))),
  } satisfies OutgoingAuth
}

describe('connectBackend with headers that are the same for everybody', () => {
  it('sends them with everything, over one session for all, and asks for no others', async () => {
    const server = await sessionBackend({ 'tools/call': (request) => request.result(done) })
    const auth = fixedAuth(() => ({ 'X-Key': 'k1' }))
    const client = backend(server.url, { auth })
    for (const identity of [ada, bob, null, ada]) expect(await client.callTool(identity, { name: 'x' })).toEqual(done)
    expect(server.count('initialize')).toBe(1)
    expect(server.count('tools/call')).toBe(4)
    expect(server.requests.map(({ headers }) => headers['x-key'])).toEqual(server.requests.map(() => 'k1'))
    expect(auth.fixedHeaders).toHaveBeenCalledTimes(1)
    expect(auth.headers).not.toHaveBeenCalled()
  })

  it('asks for those of the caller when headers are forwarded, and sends nothing when they cannot be had', async () => {
    const server = await statelessBackend({ 'tools/call': (request) => request.result(statelessDone) })
    const auth = fixedAuth(() => ({ 'x-key': 'k1' }))
    const client = backend(server.url, { auth })
    await client.callTool(bob, { name: 'x' })
    const sent = server.requests.length
    const forwardedHeaders = { 'x-trace': '1' }
    await expect(client.callTool(ada, { name: 'x' }, { forwardedHeaders })).rejects.toMatchObject({
      _tag: 'BackendAuthenticationFailed',
      backendId: 'b1',
    })
    expect(auth.headers).toHaveBeenCalledWith(ada, expect.anything())
    expect(server.requests).toHaveLength(sent)
  })

  it('rejects, and never throws, when they cannot be told', async () => {
    const server = await statelessBackend({ 'tools/call': (request) => request.result(statelessDone) })
    const logger = recordingLogger()
    const auth = fixedAuth(() => {
      throw new Error('no key')
    })
    const client = backend(server.url, { auth, logger })
    const error = await rejection(client.callTool(ada, { name: 'x' }))
    expect(error).toMatchObject({ _tag: 'InternalError' })
    expect(String(error)).not.toContain('no key')
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { backend: 'b1', error: 'Error: no key' } }])
    expect(server.requests).toEqual([])
  })

  it('hands on an error of the domain as it is', async () => {
    const server = await statelessBackend({ 'tools/call': (request) => request.result(statelessDone) })
    const failure = new BackendAuthenticationFailed('b1')
    const auth = fixedAuth(() => {
      throw failure
    })
    expect(await rejection(backend(server.url, { auth }).callTool(ada, { name: 'x' }))).toBe(failure)
  })
})
