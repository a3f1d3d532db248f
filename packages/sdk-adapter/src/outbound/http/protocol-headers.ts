import type { JsonObject } from '@vmcp/domain'
import type { RpcRequest } from '../json-rpc.js'

/** The revision whose requests carry all they need and open no session. */
export const statelessRevision = '2026-07-28'

/** What the headers of a message are made of. */
export interface HeaderSources {
  /** Configured, forwarded and credential headers, by name. */
  readonly extra: Readonly<Record<string, string>>
  /** `Mcp-Param-*` headers made from arguments. */
  readonly parameters?: Readonly<Record<string, string>> | undefined
  readonly protocolVersion: string | undefined
  readonly sessionId: string | undefined
}

/**
 * The headers of one POST. Those of the protocol win over every other, so that nobody can forge them.
 *
 * @see MCP 2026-07-28 "Streamable HTTP", standard headers (SEP-2243)
 */
export function postHeaders(message: Pick<RpcRequest, 'method' | 'params'> | undefined, sources: HeaderSources) {
  const stateless = sources.protocolVersion === statelessRevision
  return {
    ...parameterHeaders(sources.parameters),
    ...withoutReserved(sources.extra),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...sessionHeaders(sources),
    ...(stateless && message !== undefined && standardHeaders(message)),
  }
}

/** The headers of a GET stream or a DELETE. */
export function streamHeaders(sources: HeaderSources, lastEventId?: string): Record<string, string> {
  return {
    ...withoutReserved(sources.extra),
    accept: 'text/event-stream',
    ...sessionHeaders(sources),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
}

function sessionHeaders({ protocolVersion, sessionId }: HeaderSources): Record<string, string> {
  return {
    ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    ...(sessionId !== undefined && protocolVersion !== statelessRevision && { 'mcp-session-id': sessionId }),
  }
}

function standardHeaders(message: Pick<RpcRequest, 'method' | 'params'>): Record<string, string> {
  const name = subjectOf(message.method, message.params ?? {})
  return { 'mcp-method': message.method, ...(name !== '' && { 'mcp-name': encodeHeaderValue(name) }) }
}

function subjectOf(method: string, params: JsonObject): string {
  const field = method === 'resources/read' ? 'uri' : method === 'tools/call' || method === 'prompts/get' ? 'name' : ''
  const value = params[field]
  return typeof value === 'string' ? value : ''
}

/** Text as a header value: as it is when it is ASCII without spaces at its ends, else `=?base64?…?=`. */
export function encodeHeaderValue(value: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/i.test(value)
  return plain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}

function parameterHeaders(parameters: Readonly<Record<string, string>> | undefined): Record<string, string> {
  if (parameters === undefined) return {}
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name.toLowerCase().startsWith('mcp-param-')))
}

function withoutReserved(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (!reserved.has(lower)) kept[lower] = value
  }
  return kept
}

const reserved = new Set([
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
