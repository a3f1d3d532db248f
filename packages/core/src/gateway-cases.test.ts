import { AuthorizationDenied, BackendUnavailable, Identity, NotFound } from '@vmcp/domain'
import type { CallToolResult } from '@vmcp/domain'
import { recordingLogger, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import { createVMCP } from './create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' }, token: 'super-secret-token' })

describe('case 12 field loss', () => {
  const rich = tool('rich', {
    title: 'Rich',
    icons: [{ src: 'data:image/png;base64,AA==', theme: 'dark' }],
    annotations: { readOnlyHint: true, destructiveHint: false, custom: { kept: true } },
    execution: { taskSupport: 'optional' },
    outputSchema: { type: 'object' },
    meta: { 'acme/cost': 1 },
    x: { unknown: [1, 2] },
  })
  const answer: CallToolResult = {
    content: [
      { type: 'resource_link', uri: 'config://info', name: 'info', size: 3 },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav', annotations: { audience: ['user'], priority: 1 } },
      { type: 'hologram', beam: { hz: 60 }, meta: { 'acme/x': 1 } },
    ],
    structuredContent: { rows: [{ id: 9007199254740991 }] },
    later: { revision: true },
  }

  it('case 12 keeps every field of a tool, known or not', async () => {
    const vmcp = createVMCP({ name: 'gateway', backends: [scriptedBackend({ id: 'b1', tools: [rich] })] })
    expect(await vmcp.listTools(alice)).toEqual([{ ...rich, name: 'b1_rich', backendId: 'b1' }])
  })

  it('case 12 keeps every field and block of a result, known or not', async () => {
    const b1 = scriptedBackend({ id: 'b1', tools: [rich], on: { callTool: async () => answer } })
    const vmcp = createVMCP({ name: 'gateway', backends: [b1] })
    expect(await vmcp.callTool(alice, { name: 'b1_rich' })).toEqual({ ...answer, backendId: 'b1' })
  })

  it('case 12 keeps every field of a resource and of what it holds', async () => {
    const offered = resource('file://a', { title: 'A', size: 5, annotations: { priority: 0.5 }, x: 1 })
    const contents = [{ uri: 'file://a', blob: 'AA==', meta: { 'acme/x': 1 }, later: true }]
    const b1 = scriptedBackend({
      id: 'b1',
      resources: [offered],
      on: { readResource: async () => ({ contents, ttlMs: 5 }) },
    })
    const vmcp = createVMCP({ name: 'gateway', backends: [b1] })
    expect(await vmcp.listResources(alice)).toEqual([{ ...offered, backendId: 'b1' }])
    expect(await vmcp.readResource(alice, { uri: 'file://a' })).toEqual({ contents, ttlMs: 5, backendId: 'b1' })
  })
})

describe('case 13 _meta', () => {
  it('case 13 carries the keys of vendors both ways, and reserved keys neither way', async () => {
    const meta = {
      'acme/cost': 2,
      'io.modelcontextprotocol/related-task': { taskId: '1' },
      'io.modelcontextprotocol/x': {},
    }
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('t')], on: { callTool: async () => ({ content: [], meta }) } })
    const vmcp = createVMCP({ name: 'gateway', backends: [b1] })
    const result = await vmcp.callTool(alice, {
      name: 'b1_t',
      meta: { 'acme/trace': 't', 'io.modelcontextprotocol/clientInfo': { name: 'forged' } },
    })
    expect(b1.callsOf('callTool')[0]?.request).toMatchObject({ meta: { 'acme/trace': 't' } })
    expect(JSON.stringify(b1.callsOf('callTool')[0]?.request)).not.toContain('forged')
    expect(result).toEqual({
      content: [],
      meta: { 'acme/cost': 2, 'io.modelcontextprotocol/related-task': { taskId: '1' } },
      backendId: 'b1',
    })
  })

  it('case 13 leaves out metadata of which nothing may cross', async () => {
    const forged = { 'io.modelcontextprotocol/x': 1 }
    const b1 = scriptedBackend({
      id: 'b1',
      tools: [tool('t')],
      on: { callTool: async () => ({ content: [], meta: forged }) },
    })
    const vmcp = createVMCP({ name: 'gateway', backends: [b1] })
    expect(await vmcp.callTool(alice, { name: 'b1_t', meta: forged })).toEqual({ content: [], backendId: 'b1' })
    expect(b1.callsOf('callTool')[0]?.request).not.toHaveProperty('meta')
  })
})

describe('case 19 dead target', () => {
  const b1 = () => scriptedBackend({ id: 'b1', tools: [tool('t')] })
  const dead = [
    new BackendUnavailable('b2', 'unreachable', { detail: 'connection refused' }),
    new BackendUnavailable('b3', 'unreachable', { detail: 'no such program' }),
    new BackendUnavailable('b4', 'protocol', { detail: 'empty answer to initialize' }),
  ].map((error) => scriptedBackend({ id: error.backendId, on: { describe: () => Promise.reject(error) } }))

  it('case 19 serves the rest under best_effort, and reports each cause', async () => {
    const vmcp = createVMCP({ name: 'gateway', backends: [b1(), ...dead] })
    expect((await vmcp.listTools(alice)).map(({ name }) => name)).toEqual(['b1_t'])
    const failed = (await vmcp.report(alice)).findings.filter(({ reason }) => reason === 'backend-failed')
    expect(failed.map(({ subject, message }) => [subject, message])).toEqual([
      ['b2', expect.stringContaining('connection refused')],
      ['b3', expect.stringContaining('no such program')],
      ['b4', expect.stringContaining('empty answer to initialize')],
    ])
    await expect(vmcp.callTool(alice, { name: 'b2_t' })).rejects.toEqual(new NotFound('tool', 'b2_t'))
  })

  it('case 19 fails clearly under fail', async () => {
    const vmcp = createVMCP({ name: 'gateway', backends: [b1(), ...dead], partialFailureMode: 'fail' })
    const failure = vmcp.listTools(alice)
    await expect(failure).rejects.toBeInstanceOf(BackendUnavailable)
    await expect(failure).rejects.toThrow(/b[234]/)
  })
})

describe('case 33 authorization surfaces', () => {
  const policies = [
    'permit(principal, action == Action::"call_tool", resource == Tool::"b1_weather");',
    'permit(principal, action == Action::"call_tool", resource == Tool::"b1_deploy") when { context has arg_env && context.arg_env == "dev" };',
  ]
  const make = () => {
    const logger = recordingLogger()
    const b1 = scriptedBackend({ id: 'b1', tools: ['weather', 'admin_tool', 'deploy'].map((name) => tool(name)) })
    const vmcp = createVMCP({ name: 'gateway', backends: [b1], authorization: { type: 'cedar', policies }, logger })
    return { b1, vmcp, logger }
  }

  it('case 33 hides a forbidden tool and refuses its call, which never reaches the backend', async () => {
    const { b1, vmcp, logger } = make()
    expect((await vmcp.listTools(alice)).map(({ name }) => name)).toEqual(['b1_weather'])
    await expect(vmcp.lookupTool(alice, 'b1_admin_tool')).rejects.toBeInstanceOf(NotFound)
    await expect(vmcp.callTool(alice, { name: 'b1_admin_tool' })).rejects.toEqual(new AuthorizationDenied('call'))
    expect(b1.callsOf('callTool')).toEqual([])
    expect(logger.text()).not.toContain('super-secret-token')
    expect(logger.text()).not.toContain('alice')
  })

  it('case 33 refuses by argument, and lets the right argument pass', async () => {
    const { b1, vmcp } = make()
    const call = (env: string) => vmcp.callTool(alice, { name: 'b1_deploy', arguments: { env } })
    await expect(call('prod')).rejects.toEqual(new AuthorizationDenied('call'))
    await call('dev')
    expect(b1.callsOf('callTool')).toHaveLength(1)
  })

  it.each([
    [
      'forbid',
      'permit(principal, action, resource); forbid(principal, action, resource == Resource::"file:///secret");',
    ],
    ['permit', 'permit(principal, action, resource) when { resource.uri like "file:///public/*" };'],
  ])('case 33 is not talked out of a %s by another spelling of a URI', async (_, policy) => {
    const files = scriptedBackend({ id: 'files', templates: [template('file:///{+path}')] })
    const authorization = { type: 'cedar', policies: [policy] } as const
    const vmcp = createVMCP({ name: 'gateway', backends: [files], authorization })
    await vmcp.readResource(alice, { uri: 'file:///public/a%20b' })
    for (const uri of ['%73ecret', 'public/../secret', 'public/%2E%2e/secret', 'public/..%2fsecret', 'secret']) {
      const reading = vmcp.readResource(alice, { uri: `file:///${uri}` })
      await expect(reading, uri).rejects.toEqual(new AuthorizationDenied('read'))
    }
    expect(files.callsOf('readResource')).toHaveLength(1)
  })

  it('case 33 knows nobody who is anonymous', async () => {
    const { vmcp } = make()
    expect(await vmcp.listTools(null)).toEqual([])
    await expect(vmcp.callTool(null, { name: 'b1_weather' })).rejects.toEqual(new AuthorizationDenied('call'))
  })
})
