import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decorate } from './decorate.js'
import { NotFound } from './errors/capability-errors.js'
import { Identity } from './identity.js'
import { restrict } from './restrict.js'
import type { VMCP } from './vmcp.js'

/** A VMCP that offers `names` as tools, resources, templates and prompts, and keeps which of them were used. */
function offering(names: readonly string[]): { readonly vmcp: VMCP; readonly used: string[] } {
  const used: string[] = []
  const find = (kind: 'tool' | 'resource' | 'prompt', name: string): string => {
    if (names.includes(name)) return name
    throw new NotFound(kind, name)
  }
  const vmcp: VMCP = {
    listTools: async () => names.map((name) => ({ name, inputSchema: {} })),
    callTool: async (_, { name }) => {
      used.push(find('tool', name))
      return { content: [] }
    },
    listResources: async () => names.map((uri) => ({ uri, name: uri })),
    listResourceTemplates: async () => names.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
    readResource: async (_, { uri }) => {
      used.push(find('resource', uri))
      return { contents: [] }
    },
    listPrompts: async () => names.map((name) => ({ name })),
    getPrompt: async (_, { name }) => {
      used.push(find('prompt', name))
      return { messages: [] }
    },
    complete: async (_, { ref }) => ({ values: [ref.type === 'ref/prompt' ? ref.name : ref.uri] }),
    lookupTool: async (_, name) => ({ name: find('tool', name), inputSchema: {} }),
    lookupResource: async (_, uri) => ({ uri: find('resource', uri), name: uri }),
    lookupPrompt: async (_, name) => ({ name: find('prompt', name) }),
    close: async () => {},
  }
  return { vmcp, used }
}

const argument = { name: 'a', value: '' }
const notB = (name: string): boolean => name !== 'b'

describe('restrict', () => {
  it('answers list, lookup and call of a tool alike', async () => {
    const { vmcp: inner, used } = offering(['a', 'b'])
    const vmcp = restrict(inner, { tool: (_, { name }) => notB(name) })
    expect((await vmcp.listTools(null)).map(({ name }) => name)).toEqual(['a'])
    await expect(vmcp.lookupTool(null, 'b')).rejects.toEqual(new NotFound('tool', 'b'))
    await expect(vmcp.callTool(null, { name: 'b' })).rejects.toEqual(new NotFound('tool', 'b'))
    await vmcp.callTool(null, { name: 'a' })
    expect(used).toEqual(['a'])
  })

  it('answers list, lookup and reading of resources and templates alike', async () => {
    const { vmcp: inner, used } = offering(['a', 'b'])
    const vmcp = restrict(inner, { resource: (_, { uri }) => notB(uri) })
    expect((await vmcp.listResources(null)).map(({ uri }) => uri)).toEqual(['a'])
    expect((await vmcp.listResourceTemplates(null)).map(({ uriTemplate }) => uriTemplate)).toEqual(['a'])
    await expect(vmcp.lookupResource(null, 'b')).rejects.toEqual(new NotFound('resource', 'b'))
    await expect(vmcp.readResource(null, { uri: 'b' })).rejects.toEqual(new NotFound('resource', 'b'))
    expect(used).toEqual([])
  })

  it('answers list, lookup and getting of a prompt alike', async () => {
    const { vmcp: inner, used } = offering(['a', 'b'])
    const vmcp = restrict(inner, { prompt: async (_, { name }) => notB(name) })
    expect((await vmcp.listPrompts(null)).map(({ name }) => name)).toEqual(['a'])
    await expect(vmcp.lookupPrompt(null, 'b')).rejects.toEqual(new NotFound('prompt', 'b'))
    await expect(vmcp.getPrompt(null, { name: 'b' })).rejects.toEqual(new NotFound('prompt', 'b'))
    expect(used).toEqual([])
  })

  it('completes nothing that it refuses', async () => {
    const vmcp = restrict(offering(['a', 'b']).vmcp, { prompt: (_, { name }) => notB(name) })
    const complete = (name: string): ReturnType<VMCP['complete']> =>
      vmcp.complete(null, { ref: { type: 'ref/prompt', name }, argument })
    expect(await complete('a')).toEqual({ values: ['a'] })
    expect(await complete('b')).toEqual({ values: [] })
  })

  it('asks the predicate about the caller it is given', async () => {
    const alice = new Identity({ issuer: 'test', subject: 'alice' })
    const vmcp = restrict(offering(['a']).vmcp, { tool: (identity) => identity?.subject === 'alice' })
    expect(await vmcp.listTools(alice)).toHaveLength(1)
    expect(await vmcp.listTools(null)).toHaveLength(0)
  })

  it('does not take another failure for absence', async () => {
    const failure = new Error('policy engine down')
    const vmcp = restrict(offering(['a']).vmcp, {
      prompt: () => {
        throw failure
      },
    })
    const request = { ref: { type: 'ref/prompt', name: 'a' }, argument } as const
    await expect(vmcp.complete(null, request)).rejects.toBe(failure)
  })

  it('never widens, however many of them are chained', async () => {
    const name = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e')
    const names = fc.uniqueArray(name)
    await fc.assert(
      fc.asyncProperty(names, fc.array(names, { maxLength: 4 }), name, async (offered, kept, asked) => {
        const { vmcp: inner, used } = offering(offered)
        const outer = decorate(
          inner,
          kept.map((keep) => (next) => {
            return restrict(next, {
              tool: (_, tool) => keep.includes(tool.name),
              resource: (_, resource) => keep.includes(resource.uri),
              prompt: (_, prompt) => keep.includes(prompt.name),
            })
          }),
        )
        const expected = offered.filter((item) => kept.every((keep) => keep.includes(item)))
        expect((await outer.listTools(null)).map((tool) => tool.name)).toEqual(expected)
        expect((await outer.listResources(null)).map((resource) => resource.uri)).toEqual(expected)
        expect((await outer.listResourceTemplates(null)).map((one) => one.uriTemplate)).toEqual(expected)
        expect((await outer.listPrompts(null)).map((prompt) => prompt.name)).toEqual(expected)
        await Promise.allSettled([
          outer.callTool(null, { name: asked }),
          outer.readResource(null, { uri: asked }),
          outer.getPrompt(null, { name: asked }),
        ])
        expect(used).toEqual(expected.includes(asked) ? [asked, asked, asked] : [])
        const lookups = await Promise.allSettled([
          outer.lookupTool(null, asked),
          outer.lookupResource(null, asked),
          outer.lookupPrompt(null, asked),
        ])
        const resolved = lookups.map(({ status }) => status === 'fulfilled')
        expect(resolved).toEqual([expected.includes(asked), expected.includes(asked), expected.includes(asked)])
      }),
    )
  })
})
