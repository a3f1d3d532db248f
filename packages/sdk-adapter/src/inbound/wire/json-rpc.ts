import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { stringifyMessage } from '../../json/exact-json.js'
import type { JsonText } from '../exchange.js'
import { ProtocolError } from './protocol-error.js'

/** The id of a request; it is unique for one sender only. */
export type RequestId = string | number

/** A call that wants an answer. */
export interface RequestMessage {
  readonly type: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
}

/** A call that wants none. */
export interface NotificationMessage {
  readonly type: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** The answer to a request of ours. */
export interface ResponseMessage {
  readonly type: 'response'
  readonly id: RequestId
  readonly outcome: { readonly result: JsonObject } | { readonly error: RpcError }
}

/** The error member of a response. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** One JSON-RPC 2.0 message whose shape is known. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage

/** The codes of JSON-RPC 2.0 and of both MCP revisions that this edge answers with. */
export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** 2025-11-25: the session is unknown or ended. */
  sessionNotFound: -32001,
  /** 2025-11-25: the resource does not exist. */
  resourceNotFound: -32002,
  /** 2026-07-28: a header is missing or differs from the body. */
  headerMismatch: -32020,
  /** 2026-07-28: the client did not declare what the request needs. */
  missingCapability: -32021,
  /** 2026-07-28: the revision is not spoken here. */
  unsupportedVersion: -32022,
} as const

/** Tells what a parsed body is. Throws a `ProtocolError` (400, -32600) for anything that is not one JSON-RPC message. */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw invalid('batches are not supported (since revision 2025-06-18)')
  if (!isJsonObject(value)) throw invalid('the body is not a JSON-RPC message')
  const id = readId(value['id'])
  if (value['jsonrpc'] !== '2.0') throw invalid('"jsonrpc" must be "2.0"', id)
  if (value['method'] === undefined) return readResponse(value, id)
  const method = value['method']
  if (typeof method !== 'string') throw invalid('"method" must be text', id)
  const params = value['params'] ?? {}
  if (!isJsonObject(params)) throw invalid('"params" must be an object', id)
  if (value['id'] === undefined) return { type: 'notification', method, params }
  if (id === undefined) throw invalid('"id" must be text or a number')
  return { type: 'request', id, method, params }
}

/** The JSON text of a successful answer whose result is already serialised. */
export function resultText(id: RequestId, result: string): string
export function resultText(id: RequestId, result: JsonText): JsonText
export function resultText(id: RequestId, result: JsonText): JsonText {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  return typeof result === 'string' ? `${head}${result}}` : [head, ...result, '}']
}

/** A JSON text as one string. */
export function wholeText(text: JsonText): string {
  if (typeof text === 'string') return text
  return text.map((part) => (typeof part === 'string' ? part : new TextDecoder().decode(part))).join('')
}

/** The JSON text of an error answer. Without an id the member is left out. */
export function errorText(id: RequestId | undefined, error: RpcError): string {
  return stringifyMessage({
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) },
  })
}

/** The JSON text of a notification. */
export function notificationText(method: string, params: JsonObject): string {
  return stringifyMessage({ jsonrpc: '2.0', method, params })
}

function readResponse(value: JsonObject, id: RequestId | undefined): ResponseMessage {
  const { result, error } = value
  if (id === undefined) throw invalid('a message needs a "method", or an "id" with a "result" or an "error"')
  if (isJsonObject(result)) return { type: 'response', id, outcome: { result } }
  if (!isJsonObject(error)) throw invalid('a response needs a "result" or an "error" object', id)
  const { code, message, data } = error
  if (!Number.isInteger(code) || typeof message !== 'string') throw invalid('"error" needs a code and a message', id)
  return {
    type: 'response',
    id,
    outcome: { error: { code: Number(code), message, ...(data !== undefined && { data }) } },
  }
}

function readId(value: unknown): RequestId | undefined {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined
}

function invalid(detail: string, requestId?: RequestId): ProtocolError {
  return new ProtocolError(rpcCode.invalidRequest, `Invalid Request: ${detail}`, { status: 400, requestId })
}
