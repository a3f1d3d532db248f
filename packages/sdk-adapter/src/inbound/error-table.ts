import type { JsonObject, VmcpError, VmcpErrorTag } from '@vmcp/domain'
import { isVmcpError } from '@vmcp/domain'
import type { RpcError } from './wire/json-rpc.js'
import { rpcCode } from './wire/json-rpc.js'
import { ProtocolError } from './wire/protocol-error.js'
import type { Era } from './wire/protocol-versions.js'

/** How one domain error reaches a client. */
export interface ErrorRow {
  /** The JSON-RPC code by era. */
  readonly code: Readonly<Record<Era, number>>
  /** The HTTP status by era, while nothing of the answer has been sent. */
  readonly status: Readonly<Record<Era, number>>
  /** `own` shows the error's message; any other text stands in for it. */
  readonly text: 'own' | (string & {})
  /** True when a 2025-11-25 `tools/call` answers it as a result with `isError`, where a model reads it. */
  readonly asToolResult: boolean
}

/** What a client reads of a failure that it is not told. */
export const internalText = 'internal error'
const ok = { '2025': 200, '2026': 200 } as const
const badRequest = { '2025': 200, '2026': 400 } as const
const invalidParams = both(rpcCode.invalidParams)
const internal = both(rpcCode.internalError)

/** A failure whose message is ours and safe to show. */
const shown: ErrorRow = { code: internal, status: ok, text: 'own', asToolResult: true }
/** A failure that only operators should read about. */
const hidden: ErrorRow = { code: internal, status: ok, text: internalText, asToolResult: false }

/** What each domain error becomes on the wire. A tag without a row does not compile. */
export const errorTable = {
  AuthorizationDenied: { code: both(403), status: { '2025': 403, '2026': 403 }, text: 'own', asToolResult: true },
  BackendAuthenticationFailed: shown,
  /** Code, message and data are the backend's own; see `relayRejection`. */
  BackendRejected: { code: internal, status: ok, text: 'own', asToolResult: false },
  BackendTimeout: shown,
  BackendUnavailable: shown,
  Cancelled: { ...shown, asToolResult: false },
  CapabilityConflict: hidden,
  ClientCapabilityMissing: {
    code: { '2025': rpcCode.internalError, '2026': rpcCode.missingCapability },
    status: badRequest,
    text: 'own',
    asToolResult: true,
  },
  ContentTooLarge: shown,
  ElicitationCancelled: shown,
  ElicitationDeclined: shown,
  ElicitationNotConfigured: shown,
  ElicitationTimeout: shown,
  InternalError: hidden,
  InvalidConfig: hidden,
  InvalidInput: { code: invalidParams, status: badRequest, text: 'own', asToolResult: true },
  InvalidRequestState: { code: invalidParams, status: badRequest, text: 'own', asToolResult: false },
  /** A resource has its own code in 2025-11-25; see `describe`. */
  NotFound: { code: invalidParams, status: badRequest, text: 'own', asToolResult: false },
  RateLimited: { code: both(429), status: ok, text: 'own', asToolResult: true },
  SchemaTooDeep: shown,
  SchemaTooLarge: shown,
  ToolNameConflict: hidden,
  WorkflowFailed: shown,
} satisfies Record<VmcpErrorTag, ErrorRow>

/** A failed request as the wire sees it. */
export interface Failure {
  readonly status: number
  readonly error: RpcError
  /** The result to send in its place, for a 2025-11-25 `tools/call`. */
  readonly toolResult?: JsonObject
}

/** Translates whatever a verb rejected with. What is not ours becomes -32603 "internal error" and nothing else. */
export function describeFailure(error: unknown, request: { readonly era: Era; readonly method: string }): Failure {
  if (error instanceof ProtocolError) {
    return { status: error.status, error: { code: error.code, message: error.message, data: error.data } }
  }
  if (!isVmcpError(error)) return { status: 200, error: { code: rpcCode.internalError, message: internalText } }
  const row: ErrorRow = errorTable[error._tag]
  const described = describe(error, row, request.era)
  const hides = described.code === rpcCode.internalError && isListing(request.method)
  const failure = {
    status: row.status[request.era],
    error: hides ? { ...described, message: internalText } : described,
  }
  const asToolResult = row.asToolResult && request.era === '2025' && request.method === 'tools/call'
  return asToolResult ? { ...failure, toolResult: asResult(error, failure.error) } : failure
}

function describe(error: VmcpError, row: ErrorRow, era: Era): RpcError {
  const code = row.code[era]
  const message = row.text === 'own' ? error.message : row.text
  switch (error._tag) {
    case 'BackendRejected':
      return relayRejection(error, era)
    case 'NotFound':
      return describeNotFound(error, era)
    case 'ClientCapabilityMissing':
      return { code, message, ...(era === '2026' && { data: { requiredCapabilities: { [error.capability]: {} } } }) }
    case 'RateLimited':
      return { code, message, data: { retryAfterSeconds: error.retryAfterSeconds } }
    default:
      return { code, message }
  }
}

function describeNotFound(error: Extract<VmcpError, { _tag: 'NotFound' }>, era: Era): RpcError {
  const subject = error.subject.length > 200 ? `${error.subject.slice(0, 200)}…` : error.subject
  switch (error.kind) {
    case 'tool':
    case 'prompt':
      return { code: rpcCode.invalidParams, message: `unknown ${error.kind}: ${subject}` }
    case 'resource': {
      const code = era === '2025' ? rpcCode.resourceNotFound : rpcCode.invalidParams
      return { code, message: `Resource not found: ${subject}`, data: { uri: error.subject } }
    }
    default:
      return { code: rpcCode.internalError, message: internalText }
  }
}

/** A backend's error goes on as it is, unless its code would describe our hop or does not exist in the client's era. */
function relayRejection(error: Extract<VmcpError, { _tag: 'BackendRejected' }>, era: Era): RpcError {
  const { code, message, data } = error
  const relayed = { code, message, ...(data !== undefined && { data }) }
  if (!Number.isInteger(code)) return { ...relayed, code: rpcCode.internalError }
  if (ofOneHop.has(code)) return { code: rpcCode.internalError, message }
  if (era === '2025') return relayed
  if (code === rpcCode.resourceNotFound) return { ...relayed, code: rpcCode.invalidParams }
  if (code === urlElicitationRequired) return { code: rpcCode.internalError, message }
  return relayed
}

/** 2025-11-25 only: the caller has to open a URL first. */
const urlElicitationRequired = -32042
const ofOneHop = new Set<number>([rpcCode.headerMismatch, rpcCode.missingCapability, rpcCode.unsupportedVersion])

function asResult(error: VmcpError, { code, message, data }: RpcError): JsonObject {
  return {
    content: [{ type: 'text', text: message }],
    isError: true,
    ...(error._tag === 'RateLimited' && { structuredContent: { code, message, data } }),
  }
}

function isListing(method: string): boolean {
  return method.endsWith('/list') || method === 'server/discover'
}

function both(code: number): Readonly<Record<Era, number>> {
  return { '2025': code, '2026': code }
}
