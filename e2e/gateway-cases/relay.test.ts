import type { JsonObject } from '@vmcp/domain'
import { calledTool, callStateless, sendRaw } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { answers, greets, httpBackend, requestsOf, stdioBackend, textOf, textResult, tool } from './backends.js'
import { everybodyIsAda, openGateway } from './open-gateway.js'

describe('resources of several backends', () => {
  it('CASE-05 are listed once and read from the backend that is listed', async () => {
    const read = (text: string) => ({ 'resources/read': { contents: [{ uri: 'config://info', text }] } })
    const link = { type: 'resource_link', uri: 'config://info', name: 'info' }
    const b1 = await httpBackend([tool('where')], {
      ...greets({ tools: {}, resources: {} }),
      ...answers({
        'resources/list': { resources: [{ uri: 'config://info', name: 'info', title: 'of B1' }] },
        'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'repo://{owner}/{name}', name: 'repo' }] },
        'tools/call': { content: [link] },
        ...read('from B1'),
      }),
    })
    const b2 = await httpBackend([], {
      ...greets({ tools: {}, resources: {} }),
      ...answers({
        'resources/list': {
          resources: [
            { uri: 'config://info', name: 'info', title: 'of B2' },
            { uri: 'ui://widget/app.html', name: 'app' },
          ],
        },
        'resources/templates/list': { resourceTemplates: [] },
        ...read('from B2'),
      }),
    })
    const client = await (await openGateway({ b2, b1 })).session()
    const { resources } = (await client.request('resources/list')).result as { resources: readonly JsonObject[] }
    expect(resources.map(({ uri, title }) => [uri, title])).toEqual([
      ['config://info', 'of B1'],
      ['ui://widget/app.html', undefined],
    ])
    expect(resources.every(({ uri }) => URL.canParse(String(uri)))).toBe(true)
    const called = await client.call('b1_where')
    expect(called.result['content']).toEqual([link])
    const uri = (called.result['content'] as readonly JsonObject[])[0]?.['uri']
    expect((await client.request('resources/read', { uri })).result['contents']).toMatchObject([{ text: 'from B1' }])
    await client.request('resources/read', { uri: 'ui://widget/app.html' })
    await client.request('resources/read', { uri: 'repo://me/mine' })
    const reads = [b1, b2].map((backend) =>
      requestsOf(backend, 'resources/read').map(({ message }) => (message['params'] as JsonObject)['uri']),
    )
    expect(reads).toEqual([['config://info', 'repo://me/mine'], ['ui://widget/app.html']])
  })
})

describe('schemas', () => {
  it('CASE-09 arrive as they were', async () => {
    const q = { oneOf: [{ const: 1 }, { type: 'null' }] }
    const schemas = [
      {
        type: 'object',
        properties: { q: { $ref: '#/definitions/Q' } },
        definitions: { Q: q },
        'x-vendor': { k: 1 },
        additionalProperties: false,
      },
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: { any: true } },
      {
        type: 'object',
        properties: { tree: { $ref: '#/$defs/node' } },
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      },
    ]
    const b1 = await httpBackend(schemas.map((inputSchema, index) => tool(`t${index}`, { inputSchema })))
    const core = {
      aggregation: {
        tools: [
          {
            workload: 'b1',
            filter: ['t0', 't1', 't2', 't3'],
            overrides: { t0: { name: 'renamed', description: 'x' } },
          },
        ],
      },
    }
    const client = await (await openGateway({ b1 }, { core })).session()
    const { tools } = (await client.request('tools/list')).result as { tools: readonly JsonObject[] }
    const byName = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]))
    expect(byName).toEqual({ b1_renamed: schemas[0], b1_t1: schemas[1], b1_t2: schemas[2], b1_t3: schemas[3] })
  })
})

describe('results of a tool with an outputSchema', () => {
  it('CASE-11 are relayed unchanged, the failed and the incomplete', async () => {
    const outputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
    const failed = { isError: true, content: [{ type: 'text', text: 'points limit' }] }
    const incomplete = { content: [{ type: 'text', text: '{}' }], structuredContent: {} }
    const b1 = await httpBackend([tool('spend', { outputSchema })], {
      'tools/call': (request) => request.result(calledTool(request).input['fail'] === true ? failed : incomplete),
    })
    const client = await (await openGateway({ b1 })).session()
    expect((await client.call('b1_spend', { fail: true })).result).toEqual(failed)
    expect((await client.call('b1_spend')).result).toEqual(incomplete)
  })
})

describe('fields', () => {
  it('CASE-12 of tools and results all arrive, known or not', async () => {
    const rich = tool('rich', {
      title: 'Rich',
      icons: [{ src: 'https://example.com/i.png', mimeType: 'image/png' }],
      annotations: { readOnlyHint: true, destructiveHint: false, custom: 'kept' },
      execution: { taskSupport: 'optional' },
      _meta: { 'acme/kind': 'x' },
      x: { y: 1 },
    })
    const result = {
      content: [
        { type: 'text', text: 'a', annotations: { audience: ['user'], priority: 1, odd: true } },
        { type: 'resource_link', uri: 'file:///a', name: 'a', size: 3, extra: 1 },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'hologram', beams: [1, 2], _meta: { 'acme/b': 1 } },
        { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA', _meta: { 'acme/c': 1 }, odd: 1 } },
      ],
      structuredContent: { deep: [{ null: null, big: 1e21 }] },
      vendor: { kept: true },
      _meta: { 'acme/cost': 2 },
    }
    const b1 = await httpBackend([rich], answers({ 'tools/call': result }))
    const b2 = await stdioBackend([rich], { 'tools/call': (line) => line.result(result) })
    const client = await (await openGateway({ b1, b2 })).session()
    const { tools } = (await client.request('tools/list')).result as { tools: readonly JsonObject[] }
    expect(tools).toEqual([
      { ...rich, name: 'b1_rich' },
      { ...rich, name: 'b2_rich' },
    ])
    expect((await client.call('b1_rich')).result).toEqual(result)
    expect((await client.call('b2_rich')).result).toEqual(result)
  })

  it('CASE-13 of metadata cross both ways unless they are reserved', async () => {
    const b1 = await httpBackend([tool('m')], {
      'tools/call': (request) =>
        request.result({
          ...textResult('done'),
          _meta: { 'acme/cost': 2, 'io.modelcontextprotocol/serverInfo': { name: 'forged', version: '1' } },
        }),
    })
    const client = await (await openGateway({ b1 })).session()
    const _meta = {
      progressToken: 7,
      'acme/trace': 't',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'io.modelcontextprotocol/clientInfo': { name: 'forged', version: '1' },
    }
    const answer = await client.request('tools/call', { name: 'b1_m', arguments: {}, _meta })
    expect(answer.result['_meta']).toEqual({ 'acme/cost': 2 })
    const [sent] = requestsOf(b1, 'tools/call').map((request) => calledTool(request).meta)
    expect(sent).toMatchObject({ 'acme/trace': 't', traceparent: _meta.traceparent })
    expect(sent?.['progressToken']).not.toBe(7)
    expect(sent).not.toHaveProperty(['io.modelcontextprotocol/clientInfo'])
  })
})

describe('arguments', () => {
  it('CASE-15 that are absent are an empty object, and those of an object are kept', async () => {
    const b1 = await httpBackend([tool('t')], { 'tools/call': (request) => request.result(textResult('done')) })
    const client = await (await openGateway({ b1 })).session()
    await client.request('tools/call', { name: 'b1_t' })
    for (const sent of [{}, { a: null }, { a: { b: [null, 1.5, 'x', true] } }]) await client.call('b1_t', sent)
    expect(requestsOf(b1, 'tools/call').map((request) => calledTool(request).input)).toEqual([
      {},
      {},
      { a: null },
      { a: { b: [null, 1.5, 'x', true] } },
    ])
  })

  // The reference tells a 2025 client in a result, where its model reads it, and takes null for absent.
  it.each([
    ['2025', '[]'],
    ['2025', '"x"'],
    ['2025', '7'],
    ['2026', '[]'],
    ['2026', '"x"'],
    ['2026', 'false'],
  ] as const)('CASE-15 that are no object are refused and reach no backend (%s, %s)', async (era, sent) => {
    const b1 = await httpBackend([tool('t')])
    const gateway = await openGateway({ b1 })
    const params = { name: 'b1_t', arguments: JSON.parse(sent) as unknown }
    if (era === '2025') {
      const client = await gateway.session()
      expect((await client.request('tools/call', params)).result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('arguments must be object') }],
      })
    } else {
      const { status, error } = await callStateless(gateway.url, 'tools/call', { params })
      expect({ status, code: error?.['code'] }).toEqual({ status: 400, code: -32602 })
    }
    expect(b1.count('tools/call')).toBe(0)
  })

  it('CASE-15 of one name twice mean the last, for the policy and for the backend', async () => {
    const b1 = await httpBackend([tool('t')], { 'tools/call': (request) => request.result(textResult('done')) })
    const policy = 'permit(principal, action, resource) when { !(context has arg_env) || context.arg_env == "dev" };'
    const core = { authorization: { type: 'cedar', policies: [policy] } } as const
    const gateway = await openGateway({ b1 }, { core, server: { incomingAuth: everybodyIsAda } })
    const client = await gateway.session()
    const send = (pair: string) =>
      sendRaw(
        gateway.url,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1_t","arguments":{${pair}}}}`,
        { id: 1, headers: { 'mcp-session-id': client.id, 'mcp-protocol-version': '2025-11-25' } },
      )
    const refused = await send('"env":"dev","env":"prod"')
    const allowed = await send('"env":"prod","env":"dev"')
    expect(textOf(allowed.result)).toBe('done')
    expect(textOf(refused.result)).not.toBe('done')
    const calls = requestsOf(b1, 'tools/call')
    expect(calls.map((request) => calledTool(request).input)).toEqual([{ env: 'dev' }])
    expect(calls.every(({ body }) => !body.includes('prod'))).toBe(true)
  })

  it.each(['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '1e400'])(
    'CASE-15 with the number %s, which would be another one once read, are refused',
    async (number) => {
      const b1 = await httpBackend([tool('t')], { 'tools/call': (request) => request.result(textResult('done')) })
      const gateway = await openGateway({ b1 })
      const client = await gateway.session()
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1_t","arguments":{"n":${number}}}}`
      const headers = { 'mcp-session-id': client.id, 'mcp-protocol-version': '2025-11-25' }
      const answer = await sendRaw(gateway.url, body, { id: 1, headers })
      expect(answer.messages).toMatchObject([{ error: { code: -32600, message: expect.stringContaining(number) } }])
      expect(b1.count('tools/call')).toBe(0)
    },
  )
})
