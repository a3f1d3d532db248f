import type { ClientCapabilities, JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { readClientCapabilities } from './wire/client-capabilities.js'
import type { Exchange } from './exchange.js'
import { decodeHeaderValue } from './wire/header-value.js'
import type { Message, RequestMessage } from './wire/json-rpc.js'
import { rpcCode } from './wire/json-rpc.js'
import { ProtocolError } from './wire/protocol-error.js'
import { statelessVersion, supportedVersions } from './wire/protocol-versions.js'

/** What a request of the stateless era says of itself in `_meta`. */
export interface Envelope {
  readonly capabilities: ClientCapabilities
  /** The lowest level of log messages to send; absent means none. */
  readonly logLevel?: string
}

/** Which era serves a message. */
export type Classification = { readonly era: '2025' } | { readonly era: '2026'; readonly envelope: Envelope }

const key = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const

const sessions: Classification = { era: '2025' }

/**
 * Decides the era by what the body claims; headers only confirm it.
 * Throws a `ProtocolError` (400) when a stateless message is incomplete or its headers differ from its body.
 */
export function classify(message: Message, headers: Exchange['headers']): Classification {
  const header = headers['mcp-protocol-version']
  if (message.type === 'response') {
    if (header === statelessVersion) throw refuse(rpcCode.invalidRequest, 'a client sends no responses in 2026-07-28')
    return sessions
  }
  const meta = isJsonObject(message.params['_meta']) ? message.params['_meta'] : {}
  const claims = Object.hasOwn(meta, key.protocolVersion)
  const signals = claims || Object.hasOwn(meta, key.clientInfo) || Object.hasOwn(meta, key.clientCapabilities)
  if (message.method === 'initialize' && !isStateless(meta)) return sessions
  if (!signals && header !== statelessVersion) return sessions
  if (!claims && header !== undefined && header !== statelessVersion) return sessions
  const requestId = message.type === 'request' ? message.id : undefined
  const refuseThis = (code: number, text: string, data?: unknown) => refuse(code, text, data, requestId)

  const version = meta[key.protocolVersion]
  if (message.type === 'notification') return { era: '2026', envelope: { capabilities: {} } }
  if (typeof version !== 'string') throw refuseThis(rpcCode.invalidParams, `_meta needs "${key.protocolVersion}"`)
  if (header !== undefined && header !== version) {
    throw refuseThis(rpcCode.headerMismatch, 'MCP-Protocol-Version differs from the body', { header, body: version })
  }
  if (version !== statelessVersion) {
    const data = { supported: supportedVersions, requested: version }
    throw refuseThis(rpcCode.unsupportedVersion, `protocol version ${version.slice(0, 64)} is not supported`, data)
  }
  if (!isJsonObject(meta[key.clientCapabilities])) {
    throw refuseThis(rpcCode.invalidParams, `_meta needs "${key.clientCapabilities}"`)
  }
  checkHeaders(message, headers)
  const logLevel = meta[key.logLevel]
  return {
    era: '2026',
    envelope: {
      capabilities: readClientCapabilities(meta[key.clientCapabilities]),
      ...(typeof logLevel === 'string' && { logLevel }),
    },
  }
}

function isStateless(meta: JsonObject): boolean {
  return meta[key.protocolVersion] === statelessVersion && isJsonObject(meta[key.clientCapabilities])
}

/** `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` are required and repeat the body (SEP-2243). */
function checkHeaders(request: RequestMessage, headers: Exchange['headers']): void {
  const mismatch = (header: string, headerValue: string | undefined, bodyValue: string | undefined) =>
    refuse(
      rpcCode.headerMismatch,
      headerValue === undefined ? `the ${header} header is required` : `${header} differs from the body`,
      { header, ...(headerValue !== undefined && { headerValue }), ...(bodyValue !== undefined && { bodyValue }) },
      request.id,
    )
  if (headers['mcp-protocol-version'] === undefined) throw mismatch('MCP-Protocol-Version', undefined, statelessVersion)
  const method = headers['mcp-method']
  if (method !== request.method) throw mismatch('Mcp-Method', method, request.method)
  const field = Object.hasOwn(nameField, request.method) ? nameField[request.method] : undefined
  const value = field === undefined ? undefined : request.params[field]
  if (typeof value !== 'string') return
  const name = headers['mcp-name']
  if (name === undefined || decodeHeaderValue(name) !== value) throw mismatch('Mcp-Name', name, value)
}

const nameField: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

function refuse(code: number, text: string, data?: unknown, requestId?: RequestMessage['id']): ProtocolError {
  return new ProtocolError(code, text, { status: 400, data, requestId })
}
