import type {
  CompleteRequest,
  CompletionReference,
  GetPromptRequest,
  InputResponses,
  JsonObject,
  Meta,
  ReadResourceRequest,
  CallToolRequest,
} from '@vmcp/domain'
import { InvalidInput, isJsonObject } from '@vmcp/domain'

/** Reads the parameters of `tools/call`. Throws `InvalidInput`. */
export function readCallTool(params: JsonObject): CallToolRequest {
  const given = params['arguments'] ?? undefined
  if (given !== undefined && !isJsonObject(given)) {
    throw new InvalidInput(`arguments must be object, got ${typeOf(given)}`, { field: 'arguments' })
  }
  return {
    name: readText(params, 'name'),
    ...(given !== undefined && { arguments: given }),
    ...readCommon(params),
  }
}

/** Reads the parameters of `resources/read`. Throws `InvalidInput`. */
export function readReadResource(params: JsonObject): ReadResourceRequest {
  return { uri: readText(params, 'uri'), ...readCommon(params) }
}

/** Reads the parameters of `prompts/get`. Throws `InvalidInput`. */
export function readGetPrompt(params: JsonObject): GetPromptRequest {
  const given = params['arguments'] ?? undefined
  return {
    name: readText(params, 'name'),
    ...(given !== undefined && { arguments: readTexts(given, 'arguments') }),
    ...readCommon(params),
  }
}

/** Reads the parameters of `completion/complete`. Throws `InvalidInput`. */
export function readComplete(params: JsonObject): CompleteRequest {
  const { argument, context } = params
  if (!isJsonObject(argument) || typeof argument['name'] !== 'string') {
    throw new InvalidInput('missing argument.name', { field: 'argument.name' })
  }
  const value = argument['value'] ?? ''
  if (typeof value !== 'string') throw new InvalidInput('argument.value must be text', { field: 'argument.value' })
  const chosen = isJsonObject(context) ? context['arguments'] : undefined
  const meta = readMeta(params)
  return {
    ref: readReference(params['ref']),
    argument: { name: argument['name'], value },
    ...(chosen !== undefined && { context: { arguments: readTexts(chosen, 'context.arguments') } }),
    ...(meta !== undefined && { meta }),
  }
}

/** The text at `params[field]`. Throws `InvalidInput` when there is none. */
export function readText(params: JsonObject, field: string): string {
  const value = params[field]
  if (typeof value !== 'string') throw new InvalidInput(`missing ${field}`, { field })
  return value
}

/** The caller's progress token, when it asked for progress. */
export function readProgressToken(params: JsonObject): string | number | undefined {
  const token = isJsonObject(params['_meta']) ? params['_meta']['progressToken'] : undefined
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

function readReference(ref: unknown): CompletionReference {
  if (!isJsonObject(ref)) throw new InvalidInput('missing ref', { field: 'ref' })
  if (ref['type'] === 'ref/prompt') return { type: 'ref/prompt', name: readText(ref, 'name') }
  if (ref['type'] === 'ref/resource') return { type: 'ref/resource', uri: readText(ref, 'uri') }
  throw new InvalidInput('ref.type must be "ref/prompt" or "ref/resource"', { field: 'ref.type' })
}

interface Common {
  readonly meta?: Meta
  readonly inputResponses?: InputResponses
  readonly requestState?: string
}

function readCommon(params: JsonObject): Common {
  const meta = readMeta(params)
  const { inputResponses, requestState } = params
  if (inputResponses !== undefined && !isResponses(inputResponses)) {
    throw new InvalidInput('inputResponses must be an object of objects', { field: 'inputResponses' })
  }
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw new InvalidInput('requestState must be text', { field: 'requestState' })
  }
  return {
    ...(meta !== undefined && { meta }),
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}

/** `_meta` without the progress token, which names this hop's caller and is swapped at each hop. */
function readMeta(params: JsonObject): Meta | undefined {
  if (!isJsonObject(params['_meta'])) return undefined
  const { progressToken: _ofThisHop, ...meta } = params['_meta']
  return Object.keys(meta).length === 0 ? undefined : meta
}

function readTexts(value: unknown, field: string): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) throw new InvalidInput(`${field} must be object, got ${typeOf(value)}`, { field })
  if (!isTexts(value)) throw new InvalidInput(`every value of ${field} must be text`, { field })
  return value
}

function isTexts(value: JsonObject): value is Readonly<Record<string, string>> {
  return Object.values(value).every((entry) => typeof entry === 'string')
}

function isResponses(value: unknown): value is InputResponses {
  return isJsonObject(value) && Object.values(value).every(isJsonObject)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
