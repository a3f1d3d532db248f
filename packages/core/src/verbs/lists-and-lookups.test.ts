import { BackendUnavailable, Identity, NotFound } from '@vmcp/domain'
import type { Backend, VMCP } from '@vmcp/domain'
import { prompt, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from '../core-config.js'
import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })

function over(backends: Backend | readonly Backend[], config: Partial<CoreConfig> = {}): VMCP {
  return createVMCP({ name: 'gateway', backends: [backends].flat(), ...config })
}

function cedar(...policies: readonly string[]): Pick<CoreConfig, 'authorization'> {
  return { authorization: { type: 'cedar', policies } }
}

const log = template('file:///logs/{date}.txt', { name: 'Daily log' })

describe('lists', () => {
  it('CORE-C20 lists the tools of a backend with its id', async () => {
    const tools = await over(scriptedBackend({ id: 'be1', tools: [tool('tool_a'), tool('tool_b')] })).listTools(null)
    expect(tools.map(({ name, backendId }) => [name, backendId])).toEqual([
      ['be1_tool_a', 'be1'],
      ['be1_tool_b', 'be1'],
    ])
  })

  // The error is told by its class; the reference's words "aggregation failed" are not kept.
  it('CORE-C25 says that aggregation failed when no backend answers', async () => {
    const down = scriptedBackend({ id: 'be1', on: { describe: () => Promise.reject(new Error('boom')) } })
    const failure = over(down).listTools(null)
    await expect(failure).rejects.toBeInstanceOf(BackendUnavailable)
    await expect(failure).rejects.toThrow('no backends returned capabilities')
  })

  it('CORE-C26 lists the templates whose text the policy permits', async () => {
    const backend = scriptedBackend({ id: 'be1', templates: [log, template('secret:///{id}')] })
    const policies = [
      'permit(principal, action, resource);',
      'forbid(principal, action, resource == Resource::"secret:///{id}");',
    ]
    const templates = await over(backend, cedar(...policies)).listResourceTemplates(alice)
    expect(templates).toEqual([{ ...log, backendId: 'be1' }])
  })

  it('CORE-C27 lists no templates where there are none', async () => {
    expect(await over(scriptedBackend({ id: 'be1', tools: [] })).listResourceTemplates(null)).toEqual([])
  })

  // There is no discover verb: what is there is what the lists hold, and they come from one aggregation.
  it('CORE-C28 gives one of each kind from one aggregation', async () => {
    const backend = scriptedBackend({
      id: 'be1',
      tools: [tool('t')],
      resources: [resource('file://a')],
      templates: [log],
      prompts: [prompt('p1')],
    })
    const vmcp = over(backend)
    expect(await vmcp.listTools(null)).toHaveLength(1)
    expect(await vmcp.listResources(null)).toHaveLength(1)
    expect(await vmcp.listResourceTemplates(null)).toHaveLength(1)
    expect(await vmcp.listPrompts(null)).toHaveLength(1)
    expect(backend.callsOf('describe')).toHaveLength(1)
  })

  it('CORE-C29 gives empty lists for an empty backend', async () => {
    const vmcp = over(scriptedBackend({ id: 'be1', tools: [], resources: [], prompts: [] }))
    const lists = [
      vmcp.listTools(null),
      vmcp.listResources(null),
      vmcp.listResourceTemplates(null),
      vmcp.listPrompts(null),
    ]
    expect(await Promise.all(lists)).toEqual([[], [], [], []])
  })

  it('CORE-C30 CORE-A12 gives a caller without permission an empty list, not an error', async () => {
    const vmcp = over(
      scriptedBackend({ id: 'be1', tools: [tool('weather')], prompts: [prompt('p')] }),
      cedar('permit(principal, action == Action::"get_prompt", resource);'),
    )
    expect(await vmcp.listTools(alice)).toEqual([])
    expect(await vmcp.listPrompts(alice)).toHaveLength(1)
    expect(await vmcp.listPrompts(null)).toEqual([])
  })

  it('CORE-A11 lists what may be read and got', async () => {
    const vmcp = over(
      scriptedBackend({
        id: 'be1',
        resources: [resource('res-a'), resource('res-b')],
        prompts: [prompt('p-a'), prompt('p-b')],
      }),
      cedar(
        'permit(principal, action == Action::"read_resource", resource == Resource::"res-a");',
        'permit(principal, action == Action::"get_prompt", resource == Prompt::"be1_p-a");',
      ),
    )
    expect((await vmcp.listResources(alice)).map(({ uri }) => uri)).toEqual(['res-a'])
    expect((await vmcp.listPrompts(alice)).map(({ name }) => name)).toEqual(['be1_p-a'])
  })
})

describe('lookups', () => {
  it('CORE-C31 find a resource by its URI, and a template by its text or by a URI it matches', async () => {
    const vmcp = over(scriptedBackend({ id: 'be1', resources: [resource('file://a')], templates: [log] }))
    expect(await vmcp.lookupResource(null, 'file://a')).toMatchObject({ uri: 'file://a', backendId: 'be1' })
    const asResource = { uri: 'file:///logs/{date}.txt', name: 'Daily log', backendId: 'be1' }
    expect(await vmcp.lookupResource(null, 'file:///logs/{date}.txt')).toEqual(asResource)
    expect(await vmcp.lookupResource(null, 'file:///logs/2025-01-01.txt')).toEqual(asResource)
    const missing = vmcp.lookupResource(null, 'file:///elsewhere')
    await expect(missing).rejects.toEqual(new NotFound('resource', 'file:///elsewhere'))
  })

  it('CORE-C32 answer NotFound for what nobody offers', async () => {
    const vmcp = over(scriptedBackend({ id: 'be1', tools: [] }))
    await expect(vmcp.lookupTool(null, 'x')).rejects.toEqual(new NotFound('tool', 'x'))
    await expect(vmcp.lookupResource(null, 'x')).rejects.toEqual(new NotFound('resource', 'x'))
    await expect(vmcp.lookupPrompt(null, 'x')).rejects.toEqual(new NotFound('prompt', 'x'))
  })

  it('CORE-A01 answer NotFound for what the policy does not list', async () => {
    const vmcp = over(
      scriptedBackend({ id: 'be1', tools: [tool('weather'), tool('calculator')] }),
      cedar('permit(principal, action, resource == Tool::"be1_weather");'),
    )
    expect((await vmcp.listTools(alice)).map(({ name }) => name)).toEqual(['be1_weather'])
    await expect(vmcp.lookupTool(alice, 'be1_calculator')).rejects.toEqual(new NotFound('tool', 'be1_calculator'))
  })
})
