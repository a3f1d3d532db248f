import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import type { RpcError } from './wire-failure.js'

/** A JSON-RPC request of ours. */
export interface RpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: number | string
  readonly method: string
  readonly params?: JsonObject | undefined
}

/** The answer to one request. */
export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError }

/** A message of the backend that answers nothing: a notification, or a request when it has an `id`. */
export interface RpcIncoming {
  readonly method: string
  readonly params: JsonObject
  readonly id?: string | number
}

/** What one parsed message is. */
export type RpcMessage =
  | { readonly kind: 'answer'; readonly id: unknown; readonly answer: RpcAnswer }
  | { readonly kind: 'incoming'; readonly incoming: RpcIncoming; readonly raw: JsonObject }
  | { readonly kind: 'other' }

/** Tells answers from notifications and requests, by shape only. */
export function readMessage(value: unknown): RpcMessage {
  if (!isJsonObject(value)) return { kind: 'other' }
  if (typeof value['method'] === 'string') return incoming(value, value['method'])
  if (isJsonObject(value['error']))
    return { kind: 'answer', id: value['id'], answer: { error: readError(value['error']) } }
  if (isNoError(value)) return { kind: 'answer', id: value['id'], answer: { error: readError({}) } }
  if ('result' in value) return { kind: 'answer', id: value['id'], answer: { result: value['result'] } }
  return { kind: 'other' }
}

/** An answer whose error is not one, such as a text: it still ends the wait for its request. */
function isNoError({ id, error }: JsonObject): boolean {
  return id !== undefined && error !== undefined && error !== null
}

/** The JSON-RPC error of a body, or `undefined` when the body is something else. */
export function errorOfBody(value: unknown): { readonly id: unknown; readonly error: RpcError } | undefined {
  const message = readMessage(value)
  return message.kind === 'answer' && 'error' in message.answer
    ? { id: message.id, error: message.answer.error }
    : undefined
}

/** True when `id` names our request. Backends that answer a number as text are understood. */
export function answers(id: unknown, request: { readonly id: number | string }): boolean {
  if (id === request.id) return true
  return (typeof id === 'number' || typeof id === 'string') && String(id) === String(request.id)
}

/** True when nothing in `value` is nested deeper than `limit`. */
export function isShallow(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (limit === 0) return false
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !isShallow(inner, limit - 1)) return false
  }
  return true
}

function incoming(value: JsonObject, method: string): RpcMessage {
  const params = isJsonObject(value['params']) ? value['params'] : {}
  const id = value['id']
  const named = typeof id === 'string' || typeof id === 'number' ? { id } : {}
  return { kind: 'incoming', incoming: { method, params, ...named }, raw: value }
}

function readError(error: JsonObject): RpcError {
  return {
    code: Number.isSafeInteger(error['code']) ? Number(error['code']) : -32603,
    message: typeof error['message'] === 'string' ? error['message'] : 'Unknown error',
    ...('data' in error && { data: error['data'] }),
  }
}
