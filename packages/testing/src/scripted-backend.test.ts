import { Cancelled, Identity } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import { tool } from './offers.js'
import { scriptedBackend } from './scripted-backend.js'
import { untilAborted } from './until-aborted.js'

const alice = new Identity({ issuer: 'test', subject: 'alice' })

describe('scriptedBackend', () => {
  it('announces the kinds it offers', async () => {
    const { client } = scriptedBackend({ id: 'b', tools: [tool('echo')] })
    const { capabilities } = await client.describe(null)
    expect(capabilities).toMatchObject({ tools: { listChanged: true } })
    expect(capabilities).not.toHaveProperty('prompts')
  })

  it('gives its lists in pages', async () => {
    const { client } = scriptedBackend({
      id: 'b',
      tools: ['one', 'two', 'three'].map((name) => tool(name)),
      pageSize: 2,
    })
    const first = await client.listTools?.(null, {})
    expect(first?.items.map(({ name }) => name)).toEqual(['one', 'two'])
    const second = await client.listTools?.(null, { cursor: first?.nextCursor ?? '' })
    expect(second).toEqual({ items: [tool('three')] })
  })

  it('keeps who asked what', async () => {
    const backend = scriptedBackend({ id: 'b', tools: [tool('echo')] })
    await backend.client.callTool?.(alice, { name: 'echo', arguments: { a: 1 } })
    expect(backend.callsOf('callTool')).toEqual([
      { method: 'callTool', identity: alice, request: { name: 'echo', arguments: { a: 1 } }, options: {} },
    ])
  })

  it('answers with a replaced method, and rejects with Cancelled when it hangs and is aborted', async () => {
    const { client } = scriptedBackend({
      id: 'b',
      tools: [tool('hang')],
      on: { callTool: (_, _request, options) => untilAborted(options?.signal) },
    })
    const controller = new AbortController()
    const call = client.callTool?.(null, { name: 'hang' }, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toBeInstanceOf(Cancelled)
  })

  it('tells its subscribers, and nobody else', () => {
    const backend = scriptedBackend({ id: 'b' })
    const heard: unknown[] = []
    const stop = backend.client.subscribe?.((event) => heard.push(event))
    backend.emit({ type: 'list-changed', list: 'tools' })
    stop?.()
    backend.emit({ type: 'list-changed', list: 'prompts' })
    expect(heard).toEqual([{ type: 'list-changed', list: 'tools' }])
    expect(backend.subscribers()).toBe(0)
  })

  it('offers something else from one moment to the next', async () => {
    const backend = scriptedBackend({ id: 'b', tools: [] })
    backend.offer({ tools: [tool('late')] })
    expect(await backend.client.listTools?.(null, {})).toEqual({ items: [tool('late')] })
  })
})
