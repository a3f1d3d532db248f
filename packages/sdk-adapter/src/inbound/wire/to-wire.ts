import type {
  CallToolResult,
  CompleteResult,
  ContentBlock,
  GetPromptResult,
  InputRequired,
  JsonObject,
  Meta,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '@vmcp/domain'
import { isEmbeddedResource, relayableMeta } from '@vmcp/domain'
import { stringifyExact } from '../../json/exact-json.js'
import { objectOutputSchema, objectStructuredContent } from './output-schema.js'
import type { Era } from './protocol-versions.js'

/** A tool as a client of that era sees it. */
export function wireTool(tool: Tool, era: Era): JsonObject {
  const wire = wireItem(tool)
  if (era === '2026') {
    const { execution: _older, ...rest } = wire
    return rest
  }
  if (tool.outputSchema === undefined) return wire
  const outputSchema = objectOutputSchema(tool.outputSchema)
  if (outputSchema === tool.outputSchema) return wire
  const { outputSchema: _replaced, ...rest } = wire
  return outputSchema === undefined ? rest : { ...rest, outputSchema }
}

/** A resource, template or prompt as a client sees it: `meta` as `_meta`, and no trace of the backend. */
export function wireItem(item: Tool | Resource | ResourceTemplate | Prompt): JsonObject {
  return withoutBackend(item)
}

/** The result of `tools/call`. */
export function wireCallToolResult(result: CallToolResult, era: Era): JsonObject {
  const wire = withoutBackend(result)
  const content = result.content.map(wireContent)
  if (era === '2026' || result.structuredContent === undefined) return { ...wire, content }
  const structuredContent = objectStructuredContent(result.structuredContent)
  if (structuredContent === result.structuredContent) return { ...wire, content }
  const described = content.some((block) => block['type'] === 'text')
    ? content
    : [...content, { type: 'text', text: stringifyExact(result.structuredContent) }]
  return { ...wire, content: described, structuredContent }
}

/** The result of `resources/read`. */
export function wireReadResourceResult(result: ReadResourceResult): JsonObject {
  return { ...withoutBackend(result), contents: result.contents.map(withMeta) }
}

/** The result of `prompts/get`. */
export function wireGetPromptResult(result: GetPromptResult): JsonObject {
  const messages = result.messages.map((message) => ({ ...message, content: wireContent(message.content) }))
  return { ...withoutBackend(result), messages }
}

/** The result of `completion/complete`. */
export function wireCompleteResult({ meta, ...completion }: CompleteResult): JsonObject {
  return { completion: { ...completion, values: completion.values.slice(0, 100) }, ...wireMeta(meta) }
}

/** The answer "ask the client first" (2026-07-28). */
export function wireInputRequired(result: InputRequired): JsonObject {
  return withMeta(result)
}

function wireContent(block: ContentBlock): JsonObject {
  const wire = withMeta(block)
  return isEmbeddedResource(block) && block.resource.meta !== undefined
    ? { ...wire, resource: withMeta(block.resource) }
    : wire
}

function withoutBackend(item: { readonly meta?: Meta; readonly backendId?: string }): JsonObject {
  const { backendId: _ours, ...rest } = item
  return withMeta(rest)
}

function withMeta(item: { readonly meta?: Meta }): JsonObject {
  if (!('meta' in item)) return { ...item }
  const { meta, ...rest } = item
  return { ...rest, ...wireMeta(meta) }
}

function wireMeta(meta: Meta | undefined): JsonObject {
  const relayed = relayableMeta(meta)
  return relayed === undefined ? {} : { _meta: relayed }
}
