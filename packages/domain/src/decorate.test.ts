import { describe, expect, it } from 'vitest'

import { decorate } from './decorate.js'
import type { Decorator } from './decorate.js'
import { delegate } from './delegate.js'
import type { VMCP } from './vmcp.js'

const answers =
  (result: string): VMCP['callTool'] =>
  async () => ({ content: [{ type: 'text', text: result }] })

const inner: VMCP = {
  listTools: async () => [],
  callTool: answers('inner'),
  listResources: async () => [],
  listResourceTemplates: async () => [],
  readResource: async () => ({ contents: [] }),
  listPrompts: async () => [],
  getPrompt: async () => ({ messages: [] }),
  complete: async () => ({ values: [] }),
  lookupTool: async (_, name) => ({ name, inputSchema: {} }),
  lookupResource: async (_, uri) => ({ uri, name: uri }),
  lookupPrompt: async (_, name) => ({ name }),
  close: async () => {},
}

describe('decorate', () => {
  it('lets the last decorator meet a call first', async () => {
    const met: string[] = []
    const meet =
      (name: string): Decorator =>
      (next) =>
        delegate(next, {
          callTool: async (identity, request, options) => {
            met.push(name)
            return next.callTool(identity, request, options)
          },
        })
    await decorate(inner, [meet('first'), meet('last')]).callTool(null, { name: 'x' })
    expect(met).toEqual(['last', 'first'])
  })

  it('is the same VMCP without decorators', () => {
    expect(decorate(inner, [])).toBe(inner)
  })
})

describe('delegate', () => {
  it('answers with the override where there is one, and with the inner one elsewhere', async () => {
    const outer = delegate(inner, { callTool: answers('outer') })
    expect(await outer.callTool(null, { name: 'x' })).toEqual({ content: [{ type: 'text', text: 'outer' }] })
    expect(await outer.lookupTool(null, 'x')).toEqual({ name: 'x', inputSchema: {} })
  })

  it('hands every argument of every verb on', async () => {
    const seen: unknown[] = []
    const recorder = new Proxy(inner, {
      get:
        (_, verb) =>
        async (...args: unknown[]) => {
          seen.push([verb, ...args])
        },
    })
    const outer = delegate(recorder, {})
    const options = { forwardedHeaders: { a: 'b' } }
    const argument = { name: 'a', value: '' }
    await outer.listTools(null, options)
    await outer.callTool(null, { name: 't' }, options)
    await outer.listResources(null, options)
    await outer.listResourceTemplates(null, options)
    await outer.readResource(null, { uri: 'u' }, options)
    await outer.listPrompts(null, options)
    await outer.getPrompt(null, { name: 'p' }, options)
    await outer.complete(null, { ref: { type: 'ref/prompt', name: 'p' }, argument }, options)
    await outer.lookupTool(null, 't', options)
    await outer.lookupResource(null, 'u', options)
    await outer.lookupPrompt(null, 'p', options)
    await outer.close()
    expect(seen).toEqual([
      ['listTools', null, options],
      ['callTool', null, { name: 't' }, options],
      ['listResources', null, options],
      ['listResourceTemplates', null, options],
      ['readResource', null, { uri: 'u' }, options],
      ['listPrompts', null, options],
      ['getPrompt', null, { name: 'p' }, options],
      ['complete', null, { ref: { type: 'ref/prompt', name: 'p' }, argument }, options],
      ['lookupTool', null, 't', options],
      ['lookupResource', null, 'u', options],
      ['lookupPrompt', null, 'p', options],
      ['close'],
    ])
  })
})
