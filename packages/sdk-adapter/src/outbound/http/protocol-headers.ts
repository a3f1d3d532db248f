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
 * The headers of the POSTs of one connection. Those of the protocol win over every other, so that nobody can forge them.
 * What two requests in a row have in common is made once.
 *
 * @see MCP 2026-07-28 "Streamable HTTP", standard headers (SEP-2243)
 */
export class PostHeaders {
  #extra: HeaderSources['extra'] | undefined
  #protocolVersion: string | undefined
  #sessionId: string | undefined
  #common: string[] = []

  /** Names and values by turns. */
  of(message: Pick<RpcRequest, 'method' | 'params'> | undefined, sources: HeaderSources): string[] {
    const common = this.#commonOf(sources)
    const isNamed = sources.protocolVersion === statelessRevision && message !== undefined
    const { parameters } = sources
    if (!isNamed && parameters === undefined) return common
    const headers = parameters === undefined ? common.slice() : [...parameterHeaders(parameters, common), ...common]
    if (isNamed) pushStandard(headers, message)
    return headers
  }

  #commonOf(sources: HeaderSources): string[] {
    const { extra, protocolVersion, sessionId } = sources
    if (this.#extra === extra && this.#protocolVersion === protocolVersion && this.#sessionId === sessionId) {
      return this.#common
    }
    this.#extra = extra
    this.#protocolVersion = protocolVersion
    this.#sessionId = sessionId
    this.#common = flat({
      ...withoutReserved(extra),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...sessionHeaders(sources),
    })
    return this.#common
  }
}

/** The headers of a GET stream or a DELETE, names and values by turns. */
export function streamHeaders(sources: HeaderSources, lastEventId?: string): string[] {
  return flat({
    ...withoutReserved(sources.extra),
    accept: 'text/event-stream',
    ...sessionHeaders(sources),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  })
}

function flat(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat()
}

function sessionHeaders({ protocolVersion, sessionId }: HeaderSources): Record<string, string> {
  return {
    ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    ...(sessionId !== undefined && protocolVersion !== statelessRevision && { 'mcp-session-id': sessionId }),
  }
}

function pushStandard(headers: string[], { method, params = {} }: Pick<RpcRequest, 'method' | 'params'>): void {
  headers.push('mcp-method', method)
  const name = subjectOf(method, params)
  if (name !== '') headers.push('mcp-name', encodeHeaderValue(name))
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

/** A header that a caller has anyway is not made from an argument. */
function parameterHeaders(parameters: Readonly<Record<string, string>>, common: readonly string[]): string[] {
  const isKnown = (name: string) => common.some((known, index) => index % 2 === 0 && known === name)
  return Object.entries(parameters)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name.startsWith('mcp-param-') && !isKnown(name))
    .flat()
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
