import type { Prompt, Resource, ResourceTemplate, Tool } from '@vmcp/domain'

/** A tool that takes any object, with the given fields on top. */
export function tool(name: string, fields: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: 'object' }, ...fields }
}

/** A resource named like its URI, with the given fields on top. */
export function resource(uri: string, fields: Partial<Resource> = {}): Resource {
  return { uri, name: uri, ...fields }
}

/** A resource template named like its text, with the given fields on top. */
export function template(uriTemplate: string, fields: Partial<ResourceTemplate> = {}): ResourceTemplate {
  return { uriTemplate, name: uriTemplate, ...fields }
}

/** A prompt without arguments, with the given fields on top. */
export function prompt(name: string, fields: Partial<Prompt> = {}): Prompt {
  return { name, ...fields }
}
