import { AuthorizationDenied, BackendRejected, Identity, NotFound } from '@vmcp/domain'
import type { CompleteRequest } from '@vmcp/domain'
import { deepFreeze, prompt, resource, scriptedBackend, template } from '@vmcp/testing'
import type { BackendScript } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from '../core-config.js'
import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })
const logs = 'file:///logs/{date}.txt'

function serving(script: Partial<BackendScript>, config: Partial<CoreConfig> = {}) {
  const backend = scriptedBackend({ id: 'be1', ...script })
  return { backend, vmcp: createVMCP({ name: 'gateway', backends: [backend], ...config }) }
}

function cedar(...policies: readonly string[]): Pick<CoreConfig, 'authorization'> {
  return { authorization: { type: 'cedar', policies } }
}

describe('readResource', () => {
  it('CORE-K14 gives what the backend gave, stamped with the backend', async () => {
    const { vmcp } = serving({
      resources: [resource('file://a')],
      on: { readResource: async () => ({ contents: [{ uri: 'file://a', text: 'hi' }] }) },
    })
    expect(await vmcp.readResource(null, { uri: 'file://a' })).toEqual({
      contents: [{ uri: 'file://a', text: 'hi' }],
      backendId: 'be1',
    })
  })

  it('reads through a template, asking the backend for the URI itself', async () => {
    const { vmcp, backend } = serving({ templates: [template(logs)] })
    await vmcp.readResource(null, { uri: 'file:///logs/2025-01-01.txt' })
    expect(backend.callsOf('readResource')[0]?.request).toEqual({ uri: 'file:///logs/2025-01-01.txt' })
  })

  it('CORE-K02 answers NotFound for a URI that nobody offers', async () => {
    const { vmcp } = serving({ resources: [] })
    const missing = vmcp.readResource(null, { uri: 'file://missing' })
    await expect(missing).rejects.toEqual(new NotFound('resource', 'file://missing'))
  })

  it('SRV-Z075 CORE-A11 asks the policy about the URI, before existence', async () => {
    const { vmcp, backend } = serving(
      { resources: [resource('file://a'), resource('file://secret')] },
      cedar('permit(principal, action, resource == Resource::"file://a");'),
    )
    await vmcp.readResource(alice, { uri: 'file://a' })
    for (const uri of ['file://secret', 'file://nothing']) {
      await expect(vmcp.readResource(alice, { uri })).rejects.toEqual(new AuthorizationDenied('read'))
    }
    expect(backend.callsOf('readResource')).toHaveLength(1)
  })
})

describe('getPrompt', () => {
  it('gets a prompt by the own name of the backend', async () => {
    const { vmcp, backend } = serving({ prompts: [prompt('review')] })
    expect(await vmcp.getPrompt(null, { name: 'be1_review' })).toMatchObject({ backendId: 'be1' })
    expect(backend.callsOf('getPrompt')[0]?.request).toEqual({ name: 'review' })
  })

  it('CORE-K02 answers NotFound for a name that nobody offers', async () => {
    const { vmcp } = serving({ prompts: [] })
    await expect(vmcp.getPrompt(null, { name: 'missing' })).rejects.toEqual(new NotFound('prompt', 'missing'))
  })

  it('CORE-K04 leaves the arguments of the caller alone, whatever the backend does to its own', async () => {
    const { vmcp } = serving({
      prompts: [prompt('p1')],
      on: {
        getPrompt: async (_, request) => {
          Object.assign(request.arguments ?? {}, { x: 'changed' })
          return { messages: [] }
        },
      },
    })
    const request = deepFreeze({ name: 'be1_p1', arguments: { x: '1' } })
    await vmcp.getPrompt(null, request)
    expect(request.arguments).toEqual({ x: '1' })
  })

  it('makes every argument text, as the protocol has it', async () => {
    const { vmcp, backend } = serving({ prompts: [prompt('p1')] })
    const request = JSON.parse('{"name":"be1_p1","arguments":{"text":"a","number":5,"flag":true,"list":[1]}}')
    await vmcp.getPrompt(null, request)
    expect(backend.callsOf('getPrompt')[0]?.request).toEqual({
      name: 'p1',
      arguments: { text: 'a', number: '5', flag: 'true', list: '[1]' },
    })
  })

  it('SRV-Z075 asks the policy before existence', async () => {
    const { vmcp } = serving(
      { prompts: [prompt('p-a'), prompt('p-b')] },
      cedar('permit(principal, action, resource == Prompt::"be1_p-a");'),
    )
    await vmcp.getPrompt(alice, { name: 'be1_p-a' })
    for (const name of ['be1_p-b', 'nothing']) {
      await expect(vmcp.getPrompt(alice, { name })).rejects.toEqual(new AuthorizationDenied('prompt'))
    }
  })
})

describe('complete', () => {
  const argument = { name: 'a', value: '' }
  const ofPrompt = (name: string): CompleteRequest => ({ ref: { type: 'ref/prompt', name }, argument })
  const ofResource = (uri: string): CompleteRequest => ({ ref: { type: 'ref/resource', uri }, argument })

  it('CORE-K10 gives the suggestions of the backend that has the prompt', async () => {
    const { vmcp, backend } = serving({
      prompts: [prompt('p1')],
      on: { complete: async () => ({ values: ['alpha', 'beta'], total: 2 }) },
    })
    expect(await vmcp.complete(null, ofPrompt('be1_p1'))).toEqual({ values: ['alpha', 'beta'], total: 2 })
    expect(backend.callsOf('complete')[0]?.request).toEqual({ ref: { type: 'ref/prompt', name: 'p1' }, argument })
  })

  it('CORE-K11 completes a template by its text and by a URI that it matches', async () => {
    const { vmcp } = serving({
      templates: [template(logs)],
      on: { complete: async () => ({ values: ['2025-01-01.txt'] }) },
    })
    for (const uri of [logs, 'file:///logs/2025-01-01.txt']) {
      expect((await vmcp.complete(null, ofResource(uri))).values).toEqual(['2025-01-01.txt'])
    }
  })

  it('CORE-K12 has no suggestions for a reference that leads nowhere', async () => {
    const { vmcp } = serving({ prompts: [] })
    const bogus = JSON.parse('{"ref":{"type":"ref/bogus"},"argument":{"name":"a","value":""}}')
    for (const request of [ofPrompt('missing'), ofResource('file:///nope'), bogus]) {
      expect(await vmcp.complete(null, request)).toEqual({ values: [] })
    }
  })

  it('CORE-K13 is denied what may not be got or read', async () => {
    const { vmcp } = serving(
      { prompts: [prompt('allowed'), prompt('denied')], resources: [resource('file:///secret')] },
      cedar('permit(principal, action, resource == Prompt::"be1_allowed");'),
    )
    expect(await vmcp.complete(alice, ofPrompt('be1_allowed'))).toEqual({ values: [] })
    await expect(vmcp.complete(alice, ofPrompt('be1_denied'))).rejects.toEqual(new AuthorizationDenied('prompt'))
    await expect(vmcp.complete(alice, ofResource('file:///secret'))).rejects.toEqual(new AuthorizationDenied('read'))
  })

  it('has no suggestions when the backend does not know the method', async () => {
    const unknown = new BackendRejected('be1', { code: -32601, message: 'Method not found' })
    const { vmcp } = serving({ prompts: [prompt('p1')], on: { complete: () => Promise.reject(unknown) } })
    expect(await vmcp.complete(null, ofPrompt('be1_p1'))).toEqual({ values: [] })
  })
})
