import type { JsonObject } from '@vmcp/domain'
import type { EndpointConfig } from '../endpoint-config.js'
import { supportedVersions } from '../wire/protocol-versions.js'
import type { Verb } from '../verbs.js'

/** Makes the verb `server/discover` (2026-07-28). It announces the kinds that this caller is offered something of. */
export function createDiscover({ instructions, events }: EndpointConfig): Verb {
  return async ({ vmcp, identity, options, writer }) => {
    const [tools, resources, templates, prompts] = await Promise.all([
      vmcp.listTools(identity, options),
      vmcp.listResources(identity, options),
      vmcp.listResourceTemplates(identity, options),
      vmcp.listPrompts(identity, options),
    ])
    const changes = events === undefined ? {} : { listChanged: true }
    const hasTools = tools.length > 0
    const hasResources = resources.length + templates.length > 0
    const hasPrompts = prompts.length > 0
    const capabilities: JsonObject = {
      completions: {},
      ...((hasTools || hasResources || hasPrompts) && { logging: {} }),
      ...(hasTools && { tools: changes }),
      ...(hasResources && { resources: events === undefined ? {} : { subscribe: true, ...changes } }),
      ...(hasPrompts && { prompts: changes }),
    }
    return writer.write(
      { supportedVersions, capabilities, ...(instructions !== undefined && { instructions }) },
      'reusable',
    )
  }
}
