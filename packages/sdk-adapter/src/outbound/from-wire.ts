import type {
  BackendCapabilities,
  BackendDescription,
  BackendEvent,
  CallNotification,
  CallToolResult,
  CompleteResult,
  ContentBlock,
  GetPromptResult,
  InputRequest,
  InputRequired,
  JsonObject,
  Meta,
  Page,
  Prompt,
  PromptMessage,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
} from '@vmcp/domain'
import { isJsonObject, relayableMeta } from '@vmcp/domain'
import type { RpcIncoming } from './json-rpc.js'
import { WireFailure } from './wire-failure.js'

/** Reads one page of tools. What is no tool is left out; every field of the others is kept. */
export function readTools(result: JsonObject): Page<Tool> {
  return readPage(result, 'tools', (item) =>
    typeof item['name'] === 'string' && isJsonObject(item['inputSchema'])
      ? { ...fromWire(item), name: item['name'], inputSchema: item['inputSchema'] }
      : undefined,
  )
}

export function readResources(result: JsonObject): Page<Resource> {
  return readPage(result, 'resources', (item) =>
    typeof item['uri'] === 'string'
      ? { ...fromWire(item), uri: item['uri'], name: textOr(item['name'], item['uri']) }
      : undefined,
  )
}

export function readResourceTemplates(result: JsonObject): Page<ResourceTemplate> {
  return readPage(result, 'resourceTemplates', (item) =>
    typeof item['uriTemplate'] === 'string'
      ? { ...fromWire(item), uriTemplate: item['uriTemplate'], name: textOr(item['name'], item['uriTemplate']) }
      : undefined,
  )
}

export function readPrompts(result: JsonObject): Page<Prompt> {
  return readPage(result, 'prompts', (item) =>
    typeof item['name'] === 'string' ? { ...fromWire(item), name: item['name'] } : undefined,
  )
}

export function readToolResult(result: JsonObject): CallToolResult {
  const content = result['content'] === undefined && 'structuredContent' in result ? [] : result['content']
  return { ...withoutEnvelope(result), content: readBlocks(content) }
}

/** The blocks as they are when nothing has to be taken away from any. */
function readBlocks(content: unknown): readonly ContentBlock[] {
  if (Array.isArray(content) && content.every(isPlainBlock)) return content
  return objects(content, 'content').map(readBlock)
}

function isPlainBlock(block: unknown): block is ContentBlock {
  if (!isJsonObject(block) || typeof block['type'] !== 'string') return false
  return !isMarked(block) && block['resource'] === undefined
}

export function readResourceResult(result: JsonObject): ReadResourceResult {
  return { ...withoutEnvelope(result), contents: objects(result['contents'], 'contents').map(readContents) }
}

export function readPromptResult(result: JsonObject): GetPromptResult {
  return { ...withoutEnvelope(result), messages: objects(result['messages'], 'messages').map(readPromptMessage) }
}

export function readCompletion(result: JsonObject): CompleteResult {
  const { completion } = result
  const values = isJsonObject(completion) ? completion['values'] : undefined
  if (!isJsonObject(completion) || !Array.isArray(values)) throw malformed('completion')
  const meta = metaOf(result)
  return {
    values: values.filter((value) => typeof value === 'string').slice(0, 100),
    ...(typeof completion['total'] === 'number' && { total: completion['total'] }),
    ...(typeof completion['hasMore'] === 'boolean' && { hasMore: completion['hasMore'] }),
    ...(meta !== undefined && { meta }),
  }
}

/**
 * Reads a result that asks first (2026-07-28), or gives `undefined` for one that does not.
 * The questions are kept as they came.
 */
export function readInputRequired(result: JsonObject): InputRequired | undefined {
  const { resultType, inputRequests, requestState } = result
  if (resultType === undefined || resultType === 'complete') return undefined
  const hasRequests = inputRequests === undefined || isInputRequests(inputRequests)
  const hasState = requestState === undefined || typeof requestState === 'string'
  const isEmpty = inputRequests === undefined && requestState === undefined
  if (resultType !== 'input_required' || !hasRequests || !hasState || isEmpty) {
    throw new WireFailure({ kind: 'protocol', detail: 'the result is of a kind that cannot be relayed' })
  }
  const meta = metaOf(result)
  return {
    resultType,
    ...(isInputRequests(inputRequests) && { inputRequests }),
    ...(typeof requestState === 'string' && { requestState }),
    ...(meta !== undefined && { meta }),
  }
}

/** What an `initialize` or a `server/discover` result says of a backend. */
export function describeBackend(result: JsonObject): BackendDescription {
  const { capabilities, instructions, serverInfo, protocolVersion } = result
  const announced = isJsonObject(result['_meta']) ? result['_meta']['io.modelcontextprotocol/serverInfo'] : undefined
  const info = readServerInfo(serverInfo ?? announced)
  return {
    capabilities: readCapabilities(isJsonObject(capabilities) ? capabilities : {}),
    ...(typeof instructions === 'string' && { instructions }),
    ...(info !== undefined && { serverInfo: info }),
    protocolVersion: textOr(protocolVersion, '2026-07-28'),
  }
}

/** The change a notification reports, or `undefined` for one that reports none. */
export function eventOf(method: string, params: unknown): BackendEvent | undefined {
  const list = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method)?.[1]
  if (list === 'tools' || list === 'resources' || list === 'prompts') return { type: 'list-changed', list }
  if (method !== 'notifications/resources/updated' || !isJsonObject(params)) return undefined
  return typeof params['uri'] === 'string' ? { type: 'resource-updated', uri: params['uri'] } : undefined
}

/** The notification of a call that a client may hear, or `undefined` for any other. */
export function callNotificationOf({ method, params }: RpcIncoming): CallNotification | undefined {
  const { progress, total, message, level, logger, data } = params
  if (method === 'notifications/progress' && typeof progress === 'number') {
    return {
      type: 'progress',
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    }
  }
  if (method !== 'notifications/message' || typeof level !== 'string') return undefined
  return { type: 'log', level, ...(typeof logger === 'string' && { logger }), data }
}

function readPage<Item>(result: JsonObject, field: string, read: (item: JsonObject) => Item | undefined): Page<Item> {
  const items = objects(result[field], field)
    .map(read)
    .filter((item) => item !== undefined)
  const { nextCursor } = result
  return { items, ...(typeof nextCursor === 'string' && { nextCursor }) }
}

function readBlock(block: JsonObject): ContentBlock {
  const { resource } = block
  return {
    ...fromWire(block),
    type: textOr(block['type'], 'unknown'),
    ...(isJsonObject(resource) && { resource: fromWire(resource) }),
  }
}

function readContents(contents: JsonObject): ResourceContents {
  return { ...fromWire(contents), uri: textOr(contents['uri'], '') }
}

function readPromptMessage(message: JsonObject): PromptMessage {
  const { content } = message
  if (!isJsonObject(content)) throw malformed('messages')
  return { ...fromWire(message), role: textOr(message['role'], 'user'), content: readBlock(content) }
}

/** A result without what holds for one hop only. */
function withoutEnvelope(result: JsonObject): JsonObject {
  if (!('resultType' in result || 'ttlMs' in result || 'cacheScope' in result)) return fromWire(result)
  const { resultType: _resultType, ttlMs: _ttlMs, cacheScope: _cacheScope, ...kept } = result
  return fromWire(kept)
}

/** `_meta` becomes `meta`; fields that mean something of ours are not a backend's to set. */
function fromWire(object: JsonObject): JsonObject {
  if (!isMarked(object)) return object
  const { _meta, meta: _foreign, backendId: _backendId, ...kept } = object
  const meta = relayableMeta(isJsonObject(_meta) ? _meta : undefined)
  return meta === undefined ? kept : { ...kept, meta }
}

function isMarked(object: JsonObject): boolean {
  return '_meta' in object || 'meta' in object || 'backendId' in object
}

function metaOf(result: JsonObject): Meta | undefined {
  return relayableMeta(isJsonObject(result['_meta']) ? result['_meta'] : undefined)
}

function objects(value: unknown, field: string): readonly JsonObject[] {
  if (!Array.isArray(value)) throw malformed(field)
  return value.filter(isJsonObject)
}

function malformed(field: string): WireFailure {
  return new WireFailure({ kind: 'protocol', detail: `the result has no valid "${field}"` })
}

function isInputRequests(value: unknown): value is Readonly<Record<string, InputRequest>> {
  return (
    isJsonObject(value) &&
    Object.values(value).every((request) => isJsonObject(request) && typeof request['method'] === 'string')
  )
}

function readCapabilities(capabilities: JsonObject): BackendCapabilities {
  const { tools, resources, prompts, completions, logging } = capabilities
  return {
    ...(isJsonObject(tools) && { tools: flags(tools, ['listChanged']) }),
    ...(isJsonObject(resources) && { resources: flags(resources, ['listChanged', 'subscribe']) }),
    ...(isJsonObject(prompts) && { prompts: flags(prompts, ['listChanged']) }),
    ...(isJsonObject(completions) && { completions }),
    ...(isJsonObject(logging) && { logging }),
  }
}

function flags(capability: JsonObject, names: readonly string[]): Record<string, boolean> {
  return Object.fromEntries(names.filter((name) => capability[name] === true).map((name) => [name, true]))
}

function readServerInfo(info: unknown): { readonly name: string; readonly version?: string } | undefined {
  if (!isJsonObject(info) || typeof info['name'] !== 'string') return undefined
  return { name: info['name'], ...(typeof info['version'] === 'string' && { version: info['version'] }) }
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}
