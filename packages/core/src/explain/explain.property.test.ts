import { BackendUnavailable, Identity } from '@vmcp/domain'
import type { CapabilityKind, VMCP } from '@vmcp/domain'
import { prompt, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ConflictResolution } from '../core-config.js'
import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })

const ids = ['a', 'a_b', 'constructor']
const ownNames = ['x', 'b_x', 'X!', '__proto__', 'wf']
const uris = ['file:///x', 'file:///{name}', 'file:///%7Ex', 'file:///d/../x']
const asked = [
  ...ownNames,
  ...ids.flatMap((id) => ownNames.flatMap((name) => [`${id}_${name}`, `${id}.${name}`])),
  ...['renamed', 'a_renamed', 'wf', 'broken', 'nothing', ''],
]

const some = (of: readonly string[]) => fc.subarray([...of])
const backend = fc.record({
  tools: some(ownNames),
  prompts: some(ownNames),
  resources: some(uris.filter((uri) => !uri.includes('{'))),
  templates: some(uris.filter((uri) => uri.includes('{'))),
  isDown: fc.nat(9).map((die) => die === 9),
})
const settings = fc.record({
  filter: some(['x', 'X!', 'renamed']),
  excludeAll: fc.boolean(),
  overrides: fc.constantFrom({}, { x: { name: 'renamed' } }, { x: { description: 'd' } }, { x: {} }),
})
const resolution = fc.constantFrom<ConflictResolution>(
  { strategy: 'prefix' },
  { strategy: 'priority', priorityOrder: ['a_b', 'a'] },
  { strategy: 'manual' },
)
const policy = fc
  .tuple(fc.constantFrom('permit', 'forbid'), fc.constantFrom('Tool', 'Prompt', 'Resource'), fc.nat())
  .map(([effect, type, pick]) => {
    const names = type === 'Resource' ? uris : asked
    return `${effect}(principal, action, resource == ${type}::${JSON.stringify(names[pick % names.length])});`
  })
const policies = fc.option(
  fc
    .tuple(fc.boolean(), fc.array(policy, { minLength: 1, maxLength: 6 }))
    .map(([open, texts]) => [...(open ? ['permit(principal, action, resource);'] : []), ...texts]),
)

const gateway = fc
  .record({ backends: fc.tuple(backend, backend, backend), settings, resolution, policies })
  .map(({ backends, settings: toolSettings, resolution: conflictResolution, policies: texts }) =>
    createVMCP({
      name: 'gateway',
      backends: backends.map(({ isDown, tools, prompts, resources, templates }, index) => {
        const id = ids[index] ?? ''
        return scriptedBackend({
          id,
          tools: tools.map((name) => tool(name)),
          prompts: prompts.map((name) => prompt(name)),
          resources: resources.map((uri) => resource(uri)),
          templates: templates.map((text) => template(text)),
          on: isDown ? { describe: () => Promise.reject(new BackendUnavailable(id, 'unreachable')) } : {},
        })
      }),
      aggregation: { conflictResolution, tools: [{ workload: 'a', ...toolSettings }] },
      compositeTools: [
        { name: 'wf', description: 'd', steps: [{ id: 's', type: 'tool', tool: 'a_b.x' }] },
        { name: 'broken', description: 'd', steps: [{ id: 's', type: 'tool', tool: 'a.nothing' }] },
      ],
      ...(texts !== null && { authorization: { type: 'cedar', policies: texts } }),
    }),
  )

const listed: Record<CapabilityKind, (vmcp: VMCP) => Promise<readonly string[]>> = {
  tool: async (vmcp) => (await vmcp.listTools(alice)).map(({ name }) => name),
  prompt: async (vmcp) => (await vmcp.listPrompts(alice)).map(({ name }) => name),
  resource: async (vmcp) => [
    ...(await vmcp.listResources(alice)).map(({ uri }) => uri),
    ...(await vmcp.listResourceTemplates(alice)).map(({ uriTemplate }) => uriTemplate),
  ],
}
const use: Record<CapabilityKind, (vmcp: VMCP, name: string) => Promise<unknown>> = {
  tool: (vmcp, name) => vmcp.callTool(alice, { name }),
  prompt: (vmcp, name) => vmcp.getPrompt(alice, { name }),
  resource: (vmcp, uri) => vmcp.readResource(alice, { uri }),
}

describe('explain, for any backends, settings and policies', () => {
  it('says listed of what is listed, and reachable of what can be used', async () => {
    await fc.assert(
      fc.asyncProperty(gateway, async (vmcp) => {
        for (const kind of ['tool', 'prompt', 'resource'] as const) {
          const names = await listed[kind](vmcp).catch((): readonly string[] => [])
          for (const name of new Set([...names, ...(kind === 'resource' ? uris : asked), 'file:///y'])) {
            const explanation = await vmcp.explain(alice, { kind, name })
            const isReachable = await use[kind](vmcp, name).then(
              () => true,
              () => false,
            )
            expect([explanation.text, explanation.listed]).toEqual([explanation.text, names.includes(name)])
            expect([explanation.text, explanation.reachable]).toEqual([explanation.text, isReachable])
            expect(explanation.steps.at(-1)?.passed).toBe(explanation.reachable)
          }
        }
        await vmcp.close()
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})
