import { describe, expect, it } from 'vitest'

import type { BackendToolConfig } from '../core-config.js'
import { advertised, aggregate, findingsOf, recordingLogger, routable } from './test-support/aggregate.js'
import { scriptedBackend, toolNamed } from './test-support/scripted-backend.js'

const settings = (...tools: BackendToolConfig[]) => ({ aggregation: { tools } })
const fetchTool = toolNamed('fetch', {
  description: 'Fetches.',
  inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { title: 'Fetch', readOnlyHint: true },
})

describe('overrides', () => {
  it('AGG-A13 replaces the description, and keeps name and schemas', async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: [fetchTool] })],
      settings({ workload: 'b', overrides: { fetch: { description: 'Gets a page.' } } }),
    )
    expect(view.tools.get('b_fetch')?.item).toEqual({
      ...fetchTool,
      name: 'b_fetch',
      description: 'Gets a page.',
      backendId: 'b',
    })
  })

  it("AGG-A14 renames before the prefix, and routes to the backend's own name", async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: ['fetch'] })],
      settings({ workload: 'b', overrides: { fetch: { name: 'my_fetch' } } }),
    )
    expect(routable(view)).toEqual(['b_my_fetch -> b/fetch'])
    expect(findingsOf(view, 'renamed')).toMatchObject([{ subject: 'fetch', backendId: 'b' }])
  })

  it('keeps name and description when the override has empty ones', async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: [fetchTool] })],
      settings({ workload: 'b', overrides: { fetch: { name: '', description: '', annotations: { title: '' } } } }),
    )
    expect(view.tools.get('b_fetch')?.item).toMatchObject({ description: 'Fetches.', annotations: { title: '' } })
  })

  // The reference rejects an override that has annotations only.
  it('changes annotations alone', async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: [fetchTool] })],
      settings({ workload: 'b', overrides: { fetch: { annotations: { readOnlyHint: false } } } }),
    )
    expect(view.tools.get('b_fetch')?.item.annotations).toEqual({ title: 'Fetch', readOnlyHint: false })
    expect(view.report.findings).toEqual([])
  })

  it('changes the title that clients show first', async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: [{ ...fetchTool, title: 'Old' }] })],
      settings({ workload: 'b', overrides: { fetch: { annotations: { title: 'New' } } } }),
    )
    expect(view.tools.get('b_fetch')?.item).toMatchObject({ title: 'New', annotations: { title: 'New' } })
  })

  // The reference skips every override of a backend when one of them is bad.
  it('judges each override by itself', async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: ['good', 'bad'] })],
      settings({ workload: 'b', overrides: { bad: {}, good: { name: 'better' } } }),
    )
    expect([...view.tools.keys()]).toEqual(['b_bad', 'b_better'])
    expect(findingsOf(view, 'invalid-override')).toMatchObject([{ subject: 'bad', backendId: 'b' }])
  })

  it('is not fooled by names that every object has', async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: ['constructor', '__proto__', 'toString'] })],
      settings({ workload: 'b', overrides: { x: { name: 'y' } } }),
    )
    expect([...view.tools.keys()]).toEqual(['b___proto__', 'b_constructor', 'b_toString'])
  })

  it('reports an override, a backend and a priority that nothing has', async () => {
    const view = await aggregate([scriptedBackend('b', { tools: ['x'] })], {
      aggregation: {
        conflictResolution: { strategy: 'priority', priorityOrder: ['nobody', 'b'] },
        tools: [{ workload: 'b', overrides: { ghost: { name: 'g' } } }, { workload: 'gone' }],
      },
    })
    expect(findingsOf(view, 'unused-setting').map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      'backend gone',
      'backend nobody',
      'tool ghost',
    ])
  })
})

describe('visibility', () => {
  const backend = scriptedBackend('be', { tools: ['tool_a', 'tool_b'] })

  it('AGG-A15 advertises what the filter names, and routes the rest for workflows', async () => {
    const view = await aggregate([backend], settings({ workload: 'be', filter: ['tool_a'] }))
    expect(advertised(view)).toEqual(['be_tool_a -> be/tool_a'])
    expect(routable(view)).toEqual(['be_tool_a -> be/tool_a', 'be_tool_b -> be/tool_b'])
    expect(findingsOf(view, 'hidden')).toMatchObject([{ subject: 'tool_b', advertisedAs: 'be_tool_b' }])
  })

  // The reference matches the name after the override only, so that its own samples hide what they rename.
  it.each(['create_pr', 'gh_create_pr'])('AGG-A16 matches the name before or after the override: %s', async (entry) => {
    const view = await aggregate(
      [scriptedBackend('github', { tools: ['create_pr', 'other'] })],
      settings({ workload: 'github', filter: [entry], overrides: { create_pr: { name: 'gh_create_pr' } } }),
    )
    expect(advertised(view)).toEqual(['github_gh_create_pr -> github/create_pr'])
  })

  it('AGG-A16 warns when a filter entry is a name from before its override', async () => {
    const logger = recordingLogger()
    const view = await aggregate([scriptedBackend('github', { tools: ['create_pr'] })], {
      ...settings({ workload: 'github', filter: ['create_pr'], overrides: { create_pr: { name: 'gh' } } }),
      logger,
    })
    expect(findingsOf(view, 'outdated-setting').map(({ message }) => message)).toEqual([
      'the filter names "create_pr", which an override renames to "gh"; name that instead',
    ])
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn'])
  })

  it('AGG-A17 advertises nothing when the filter names nothing there is, and reports the entry', async () => {
    const view = await aggregate(
      [scriptedBackend('b', { tools: ['x', 'y', 'z'] })],
      settings({ workload: 'b', filter: ['research_topic'] }),
    )
    expect(advertised(view)).toEqual([])
    expect(view.tools.size).toBe(3)
    expect(findingsOf(view, 'unused-setting')).toMatchObject([{ subject: 'research_topic', backendId: 'b' }])
  })

  it('AGG-A18 hides everything under excludeAllTools, whatever the filter says', async () => {
    const view = await aggregate([backend], {
      aggregation: { excludeAllTools: true, tools: [{ workload: 'be', filter: ['tool_a'] }] },
    })
    expect(advertised(view)).toEqual([])
    expect(view.tools.size).toBe(2)
    expect(view.report.counts.tools).toBe(0)
  })

  it('AGG-A19 hides backends without an entry under deny, but not their resources and prompts', async () => {
    const tools = ['fetch', 'tool_a']
    const view = await aggregate(
      [
        scriptedBackend('backend1', { tools }),
        scriptedBackend('backend2', { tools, resources: ['file:///x'], prompts: ['p'] }),
      ],
      { aggregation: { defaultToolVisibility: 'deny', tools: [{ workload: 'backend1' }] } },
    )
    expect(advertised(view).map((line) => line.split(' ')[0])).toEqual(['backend1_fetch', 'backend1_tool_a'])
    expect(view.tools.size).toBe(4)
    expect([...view.resources.keys(), ...view.prompts.keys()]).toEqual(['file:///x', 'backend2_p'])
  })

  it('hides a backend with excludeAll', async () => {
    const view = await aggregate([backend], settings({ workload: 'be', excludeAll: true, filter: ['tool_a'] }))
    expect(advertised(view)).toEqual([])
  })
})

describe('tools of a view', () => {
  it('AGG-A21 are sorted by name, for any order of backends', async () => {
    const backends = ['c', 'a', 'b'].map((id) => scriptedBackend(id, { tools: ['z', 'Z', 'a'] }))
    const names = ['a_Z', 'a_a', 'a_z', 'b_Z', 'b_a', 'b_z', 'c_Z', 'c_a', 'c_z']
    expect([...(await aggregate(backends)).tools.keys()]).toEqual(names)
    expect([...(await aggregate([...backends].reverse())).tools.keys()]).toEqual(names)
  })

  // There is no aggregation without a resolver here: the rule holds for one backend that repeats a name.
  it('AGG-A22 come from the first claimant of a repeated name', async () => {
    const view = await aggregate([
      scriptedBackend('a', {
        tools: [toolNamed('x', { description: 'first' }), toolNamed('x', { description: 'second' })],
      }),
    ])
    expect(view.tools.get('a_x')?.item.description).toBe('first')
    expect(findingsOf(view, 'lost-conflict')).toMatchObject([{ subject: 'x', backendId: 'a' }])
  })

  it('AGG-A24 case 12: keep every field, known or not', async () => {
    const rich = toolNamed('x', {
      title: 'X',
      icons: [{ src: 'https://example.com/x.png' }],
      annotations: { readOnlyHint: true, destructiveHint: false, custom: 1 },
      execution: { taskSupport: 'optional' },
      meta: { 'acme/tier': 'gold' },
      x: { unknown: ['yes'] },
    })
    const view = await aggregate([scriptedBackend('b', { tools: [rich] })])
    expect(view.tools.get('b_x')?.item).toEqual({ ...rich, name: 'b_x', backendId: 'b' })
  })

  it('bear the id of their backend, whatever it says itself', async () => {
    const liar = scriptedBackend('b', {
      tools: [toolNamed('x', { backendId: 'a' })],
      resources: [{ uri: 'u:1', name: 'r', backendId: 'a' }],
      templates: [{ uriTemplate: 'u:{x}', name: 't', backendId: 'a' }],
      prompts: [{ name: 'p', backendId: 'a' }],
    })
    const view = await aggregate([liar])
    const items = [view.tools, view.resources, view.templates, view.prompts].flatMap((map) => [...map.values()])
    expect(items.map(({ item, route }) => [item.backendId, route.backendId])).toEqual(Array(4).fill(['b', 'b']))
  })
})
