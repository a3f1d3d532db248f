import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { openSession, post, rpc } from '../testing/wire.js'
import { rawPost, rawRequest } from '../testing/raw-request.js'
import { nestsDeeperThan } from './json-depth.js'

const mebibyte = 1024 * 1024

describe('a request body', () => {
  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['an unfinished object', '{"jsonrpc":"2.0"'],
    ['a trailing comma', '{"jsonrpc":"2.0","id":1,"method":"ping",}'],
    ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"ping"}'],
    ['two messages', `${rpc('ping')}${rpc('ping')}`],
  ])('REL-H1 that is %s is a parse error', async (_what, body) => {
    const response = await post(await startServer(), body)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32700 } })
  })

  it('REL-H1 that is not UTF-8 is a parse error', async () => {
    const server = await startServer()
    const body = Buffer.from([0x22, 0xff, 0xfe, 0x22])

    const response = await fetch(server.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    })

    expect(await response.json()).toMatchObject({ error: { code: -32700 } })
  })

  it.each([
    ['a number', '1', undefined],
    ['text', '"ping"', undefined],
    ['null', 'null', undefined],
    ['an object without "jsonrpc"', '{"id":1,"method":"ping"}', 1],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 1],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}', 1],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined],
    ['params that are a list', '{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', 'a'],
    ['neither a request nor a response', '{"jsonrpc":"2.0","id":1}', 1],
  ])('REL-H1 that is JSON but %s is an invalid request', async (_what, body, id) => {
    const response = await post(await startServer(), body)

    expect(response.status).toBe(400)
    const answer = (await response.json()) as Record<string, unknown>
    expect(answer).toMatchObject({ error: { code: -32600 } })
    expect(answer['id']).toBe(id)
  })

  it.each(['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', ' [ ]', '[]', '['])(
    'SRV-M045 that is the batch %j is an invalid request without an id',
    async (body) => {
      const response = await post(await startServer(), body)

      expect(response.status).toBe(400)
      const answer = (await response.json()) as Record<string, unknown>
      expect(answer).toMatchObject({ error: { code: -32600 } })
      expect(Object.keys(answer)).not.toContain('id')
    },
  )

  it('that is far too large is refused where a client can read it, which is still sending', async () => {
    const server = await startServer()
    const responses = await Promise.all([1, 2, 3].map(() => post(server, 'x'.repeat(12 * mebibyte))))
    expect(responses.map(({ status }) => status)).toEqual([413, 413, 413])
    expect(await responses[0]?.json()).toMatchObject({
      error: { message: 'Content Too Large: a body may have 4194304 bytes' },
    })
  })

  it('SRV-H008 REL-H2 of the limit is read, and of one byte more refused with 413 (limit 4 MiB, not 8: reliability.md)', async () => {
    const server = await startServer()
    const session = await openSession(server)
    const padding = (bytes: number) => {
      const empty = rpc('ping', { _meta: { pad: '' } })
      return rpc('ping', { _meta: { pad: 'x'.repeat(bytes - empty.length) } })
    }

    const fits = await post(server, padding(4 * mebibyte), session.headers)
    expect(fits.status).toBe(200)
    await fits.text()
    expect((await post(server, padding(4 * mebibyte + 1), session.headers)).status).toBe(413)
  })

  it('REL-H2 that announces too much is refused before any of it is read, and the connection closes', async () => {
    const server = await startServer()

    const answer = await rawRequest(server.port, rawPost({ 'content-length': '99999999', connection: 'keep-alive' }))

    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer.toLowerCase()).toContain('connection: close')
  })

  it('REL-H2 in chunks without an end is refused when it passes the limit, and the connection closes', async () => {
    const server = await startServer({}, { limits: { bodyBytes: 1000 } })
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`

    const answer = await rawRequest(
      server.port,
      rawPost({ 'transfer-encoding': 'chunked', connection: 'keep-alive' }, chunk),
    )

    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('that nests deeper than the limit is a parse error, and at the limit is read', async () => {
    const server = await startServer()
    const session = await openSession(server)
    const nested = (depth: number) =>
      rpc('ping').replace('{}', `{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}`)

    expect((await post(server, nested(64), session.headers)).status).toBe(200)
    const deep = await post(server, nested(65), session.headers)
    expect(deep.status).toBe(400)
    expect(await deep.json()).toMatchObject({ error: { code: -32700 } })
    const hostile = `{"a":${'['.repeat(50_000)}`
    expect((await post(server, hostile, session.headers)).status).toBe(400)
  })

  it('that never ends is cut off, and no answer is missed by others', async () => {
    const server = await startServer({}, { limits: { headersTimeoutMs: 40, requestTimeoutMs: 50 } })

    const answer = await rawRequest(server.port, rawPost({ 'content-length': '100' }, '{"json'))

    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect((await openSession(server)).id).not.toBe('')
  })

  it('with headers over the limit is refused with 431', async () => {
    const server = await startServer()

    expect(await rawRequest(server.port, rawPost({ 'x-big': 'x'.repeat(20_000) }))).toMatch(/^HTTP\/1\.1 431 /)
  })

  it.each([
    ['two lengths', { 'content-length': '2', 'Content-Length': '3' }],
    ['a length and chunks', { 'content-length': '2', 'transfer-encoding': 'chunked' }],
  ])('REL-H3 with %s is refused with 400', async (_what, headers) => {
    expect(await rawRequest((await startServer()).port, rawPost(headers, '{}'))).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('nestsDeeperThan', () => {
  it('counts brackets outside of text only', () => {
    expect(nestsDeeperThan(Buffer.from('{"a":"[[[[\\"[["}'), 1)).toBe(false)
    expect(nestsDeeperThan(Buffer.from('{"a":[]}'), 1)).toBe(true)
    expect(nestsDeeperThan(Buffer.from('[[],[],{"\\\\":[]}]'), 3)).toBe(false)
  })
})
