import type { JsonObject } from '@vmcp/domain'
import type { RawRequest, RawScript } from '@vmcp/testing'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { answers, greetingWith, greets, httpBackend, requestsOf, textOf, textResult, tool } from './backends.js'
import { openGateway } from './open-gateway.js'

const namesOf = (result: JsonObject, kind: 'tools' | 'prompts' | 'resources') =>
  (result[kind] as readonly JsonObject[]).map(({ name }) => name)

/** Gives one page after the other; `page` may fail instead. */
const paged =
  (field: string, pages: readonly (readonly JsonObject[])[], failsAt = pages.length) =>
  (request: RawRequest) => {
    const page = Number((request.message['params'] as JsonObject | undefined)?.['cursor'] ?? 0)
    if (page >= failsAt) return request.error(200, { code: -32603, message: 'no page' })
    request.result({ [field]: pages[page], ...(page + 1 < pages.length && { nextCursor: String(page + 1) }) })
  }

describe('the pages of a backend', () => {
  const toolPages = [1, 2, 3].map((page) => [tool(`a${page}`), tool(`b${page}`)])

  it('CASE-06 are all listed', async () => {
    const b1 = await httpBackend([], {
      ...greets({ tools: {}, prompts: {} }),
      'tools/list': paged('tools', toolPages),
      'prompts/list': paged('prompts', [[{ name: 'p1' }], [{ name: 'p2' }]]),
    })
    const client = await (await openGateway({ b1 })).session()
    const tools = namesOf((await client.request('tools/list')).result, 'tools')
    expect(tools).toEqual(['b1_a1', 'b1_a2', 'b1_a3', 'b1_b1', 'b1_b2', 'b1_b3'])
    expect(namesOf((await client.request('prompts/list')).result, 'prompts')).toEqual(['b1_p1', 'b1_p2'])
  })

  it('CASE-06 are none when one of them fails, and the log says so', async () => {
    const b1 = await httpBackend([], {
      ...greets({ tools: {}, prompts: {} }),
      'tools/list': paged('tools', toolPages, 2),
      'prompts/list': paged('prompts', [[{ name: 'p1' }]]),
    })
    const gateway = await openGateway({ b1 })
    const client = await gateway.session()
    expect(namesOf((await client.request('tools/list')).result, 'tools')).toEqual([])
    expect(namesOf((await client.request('prompts/list')).result, 'prompts')).toEqual(['b1_p1'])
    const told = gateway.log.lines.filter(({ level }) => level === 'warn')
    expect(told).toMatchObject([{ fields: { findings: [{ reason: 'list-failed', kind: 'tool', backendId: 'b1' }] } }])
  })
})

describe('targets that are dead', () => {
  const empty = () => httpBackend([], { initialize: (request) => request.result({}) })
  const ok = () => httpBackend([tool('t')], answers({ 'tools/call': textResult('alive') }))

  it('CASE-19 cost nobody else, answer each request once, and show their causes', async () => {
    const gateway = await openGateway({
      b1: await ok(),
      b2: { transport: 'streamable-http', url: `http://127.0.0.1:${await freePort()}/mcp` },
      b3: { transport: 'stdio', command: 'no-such-program-anywhere' },
      b4: await empty(),
    })
    const client = await gateway.session()
    const listed = await client.request('tools/list')
    expect(namesOf(listed.result, 'tools')).toEqual(['b1_t'])
    expect(listed.messages).toHaveLength(1)
    expect(textOf((await client.call('b1_t')).result)).toBe('alive')
    const status = await (await fetch(new URL('/status', gateway.url))).text()
    const logged = JSON.stringify(gateway.log.lines)
    for (const cause of ['connection refused', 'command not found', 'not valid'])
      expect(logged + status).toContain(cause)
  })

  it('CASE-19 are one clear error when nothing may fail', async () => {
    const gateway = await openGateway(
      { b1: await ok(), b3: { transport: 'stdio', command: 'no-such-program-anywhere' } },
      { core: { partialFailureMode: 'fail' } },
    )
    const client = await gateway.session()
    const listed = await client.request('tools/list')
    expect(listed.messages).toHaveLength(1)
    expect(listed.error).toBeDefined()
    expect(textOf((await client.call('b1_t')).result)).not.toBe('alive')
  })
})

describe('backends that offer other things than they say', () => {
  it.each<[string, RawScript]>([
    [
      'announces resources that it does not know',
      {
        ...greets({ tools: {}, resources: {} }),
        'resources/list': (request) => request.error(200, { code: -32601, message: 'Method not found' }),
        'resources/templates/list': (request) => request.error(200, { code: -32601, message: 'Method not found' }),
      },
    ],
    ['announces nothing', greets({})],
    [
      'has a page of HTML for prompts',
      {
        ...greets({ tools: {}, prompts: {} }),
        'prompts/list': ({ response }) =>
          void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>secret page</h1>'),
      },
    ],
  ])('CASE-22 serves the tools of one that %s', async (_, script) => {
    const b1 = await httpBackend([tool('t')], { ...answers({ 'tools/call': textResult('alive') }), ...script })
    const gateway = await openGateway({ b1 })
    const client = await gateway.session()
    const listed = [await client.request('tools/list'), await client.request('tools/list')]
    expect(listed.map(({ result }) => namesOf(result, 'tools'))).toEqual([['b1_t'], ['b1_t']])
    expect(textOf((await client.call('b1_t')).result)).toBe('alive')
    for (const kind of ['resources', 'prompts'] as const) {
      const { result, error } = await client.request(`${kind}/list`)
      if (error === undefined) expect(result[kind]).toEqual([])
      else expect(error).toMatchObject({ code: -32601 })
    }
    const told = gateway.log.lines.filter(({ level }) => level === 'warn' || level === 'error')
    expect(told.length).toBeLessThanOrEqual(1)
    expect(JSON.stringify(gateway.log.lines)).not.toContain('secret page')
  })
})

describe('a change of lists', () => {
  /** A backend whose tools change, and whose notification stream the test writes to. */
  const changing = async () => {
    const tools = [tool('one')]
    let stream: RawRequest | undefined
    const backend = await httpBackend([], {
      'tools/list': (request) => request.result({ tools }),
      GET: (request) => {
        stream = request
        request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      },
    })
    const tell = () => stream?.send({ method: 'notifications/tools/list_changed' })
    const lists = () => requestsOf(backend, 'tools/list').length
    const listening = () => vi.waitFor(() => expect(stream).toBeDefined(), { interval: 10, timeout: 20_000 })
    return { backend, tools, tell, lists, listening }
  }

  it('CASE-26 is told once, and the next list has it', async () => {
    const { backend, tools, tell, lists, listening } = await changing()
    const gateway = await openGateway({ b1: backend })
    const client = await gateway.session()
    const heard: unknown[] = []
    const stop = new AbortController()
    await client.listen(({ method }) => heard.push(method), stop.signal)
    await client.request('tools/list')
    await listening()
    const before = lists()
    tools.push(tool('two'))
    for (let count = 0; count < 200; count += 1) tell()
    await vi.waitFor(() => expect(heard).toHaveLength(1), { interval: 10, timeout: 20_000 })
    expect(namesOf((await client.request('tools/list')).result, 'tools')).toEqual(['b1_one', 'b1_two'])
    expect(lists() - before).toBeLessThanOrEqual(2)
    expect(heard).toEqual(['notifications/tools/list_changed'])
    stop.abort()
  })

  it('CASE-26 that changes nothing is not told, and one that a list causes makes no loop', async () => {
    const { backend, tools, tell, lists, listening } = await changing()
    const gateway = await openGateway({ b1: backend })
    const client = await gateway.session()
    const heard: unknown[] = []
    const stop = new AbortController()
    await client.listen(({ method }) => heard.push(method), stop.signal)
    await client.request('tools/list')
    await listening()
    const before = lists()
    tell()
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(before), { interval: 10, timeout: 20_000 })
    tools.push(tool('two'))
    tell()
    await vi.waitFor(() => expect(heard).toHaveLength(1), { interval: 10, timeout: 20_000 })
    expect(lists() - before).toBeLessThanOrEqual(4)
    stop.abort()
  })

  it('CASE-26 that each list of a backend causes makes no loop', async () => {
    let stream: RawRequest | undefined
    const tools = [tool('one')]
    const backend = await httpBackend([], {
      initialize: (request) =>
        request.result(greetingWith({ tools: { listChanged: true } }), { 'mcp-session-id': 'session-1' }),
      'tools/list': (request) => {
        request.result({ tools })
        stream?.send({ method: 'notifications/tools/list_changed' })
      },
      GET: (request) => {
        stream = request
        request.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      },
    })
    const client = await (await openGateway({ b1: backend })).session()
    const heard: unknown[] = []
    const stop = new AbortController()
    await client.listen(({ method }) => heard.push(method), stop.signal)
    await client.request('tools/list')
    await vi.waitFor(() => expect(stream).toBeDefined(), { interval: 10, timeout: 20_000 })
    stream?.send({ method: 'notifications/tools/list_changed' })
    const started = performance.now()
    await vi.waitFor(() => expect(performance.now() - started).toBeGreaterThan(1_500), {
      interval: 100,
      timeout: 20_000,
    })
    expect(requestsOf(backend, 'tools/list').length).toBeLessThanOrEqual(8)
    expect(heard).toEqual([])
    stop.abort()
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
