import type { Prompt, Resource, ResourceTemplate, Tool } from '@vmcp/domain'

import type { Question } from '../admission/question.js'

/** What a list asks about a tool: may it be called, whatever the arguments? */
export function aboutTool(tool: Tool): Question {
  const { name, annotations } = tool
  return annotations === undefined ? { kind: 'tool', name } : { kind: 'tool', name, annotations }
}

/** What a list asks about a resource. */
export function aboutResource({ uri }: Resource): Question {
  return { kind: 'resource', uri }
}

/** What a list asks about a template: it is admitted as a resource of that URI. */
export function aboutTemplate({ uriTemplate }: ResourceTemplate): Question {
  return { kind: 'resource', uri: uriTemplate }
}

/** What a list asks about a prompt. */
export function aboutPrompt({ name }: Prompt): Question {
  return { kind: 'prompt', name }
}
