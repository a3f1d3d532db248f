import { expect } from 'vitest'

import { usingVerbs } from './verbs.js'
import { itWith } from './with-subject.js'
import type { MakeSubject } from './with-subject.js'

/** List, lookup and call agree. */
export function lists(make: MakeSubject): void {
  itWith(make, 'lists what the caller may use, in order and once', async ({ vmcp, identity, allowed }) => {
    const tools = (await vmcp.listTools(identity)).map(({ name }) => name)
    const resources = (await vmcp.listResources(identity)).map(({ uri }) => uri)
    const prompts = (await vmcp.listPrompts(identity)).map(({ name }) => name)
    expect(tools).toContain(allowed.tool)
    expect(resources).toContain(allowed.resource)
    expect(prompts).toContain(allowed.prompt)
    for (const names of [tools, resources, prompts]) expect(names).toEqual([...new Set(names)].sort())
  })

  itWith(make, 'looks up every listed item as it is listed', async ({ vmcp, identity }) => {
    for (const tool of await vmcp.listTools(identity)) {
      expect(await vmcp.lookupTool(identity, tool.name)).toEqual(tool)
    }
    for (const resource of await vmcp.listResources(identity)) {
      expect(await vmcp.lookupResource(identity, resource.uri)).toEqual(resource)
    }
    for (const { uriTemplate, ...template } of await vmcp.listResourceTemplates(identity)) {
      expect(await vmcp.lookupResource(identity, uriTemplate)).toEqual({ ...template, uri: uriTemplate })
    }
    for (const prompt of await vmcp.listPrompts(identity)) {
      expect(await vmcp.lookupPrompt(identity, prompt.name)).toEqual(prompt)
    }
  })

  for (const { verb, kind, run } of usingVerbs) {
    itWith(make, `${verb} reaches a backend for a listed ${kind}`, async (subject) => {
      const before = subject.reached()
      await run(subject, subject.allowed[kind])
      expect(subject.reached()).toBe(before + 1)
    })
  }

  itWith(make, 'answers the anonymous caller without an error', async ({ vmcp }) => {
    await expect(vmcp.listTools(null)).resolves.toBeInstanceOf(Array)
  })

  itWith(make, 'names the backend on every listed resource, template and prompt', async (subject) => {
    if (subject.showsBackends === false) return
    const { vmcp, identity } = subject
    const items = [
      ...(await vmcp.listResources(identity)),
      ...(await vmcp.listResourceTemplates(identity)),
      ...(await vmcp.listPrompts(identity)),
      await vmcp.lookupTool(identity, subject.allowed.tool),
    ]
    for (const item of items) expect(item.backendId, item.name).toEqual(expect.any(String))
  })

  itWith(make, 'lists nothing that the inner one does not', async ({ vmcp, inner, identity }) => {
    if (inner === undefined) return
    const names = async (of: typeof vmcp): Promise<readonly string[]> => [
      ...(await of.listTools(identity)).map(({ name }) => `tool ${name}`),
      ...(await of.listResources(identity)).map(({ uri }) => `resource ${uri}`),
      ...(await of.listResourceTemplates(identity)).map(({ uriTemplate }) => `template ${uriTemplate}`),
      ...(await of.listPrompts(identity)).map(({ name }) => `prompt ${name}`),
    ]
    expect(await names(inner)).toEqual(expect.arrayContaining([...(await names(vmcp))]))
  })
}
