import type { VmcpError } from '@vmcp/domain'
import {
  BackendAuthenticationFailed,
  BackendRejected,
  BackendTimeout,
  BackendUnavailable,
  Cancelled,
  ClientCapabilityMissing,
  InternalError,
  isJsonObject,
  isVmcpError,
} from '@vmcp/domain'
import { isAuthStatus } from './http/response-head.js'
import type { RpcError, WireFault } from './wire-failure.js'
import { faultOf } from './wire-failure.js'

/** Turns whatever failed on the way to a backend into an error of the domain. It reads facts, never texts. */
export function toDomainError(backendId: string, error: unknown, signal?: AbortSignal): VmcpError {
  if (isVmcpError(error)) return error
  if (signal?.aborted === true) return new Cancelled(undefined, { cause: error })
  const fault = faultOf(error)
  if (fault === undefined) return new InternalError({ cause: error })
  return fromFault(backendId, fault, { cause: error })
}

function fromFault(backendId: string, fault: WireFault, cause: ErrorOptions): VmcpError {
  switch (fault.kind) {
    case 'cancelled':
      return new Cancelled(undefined, cause)
    case 'busy':
      return new BackendUnavailable(backendId, 'unhealthy', { ...cause, detail: 'too many calls wait for it' })
    case 'connect-timeout':
      return new BackendTimeout(backendId, fault.timeoutMs, cause)
    case 'unreachable':
    case 'closed':
    case 'protocol':
      return new BackendUnavailable(backendId, fault.kind, { ...cause, detail: fault.detail })
    case 'handshake':
      return new BackendUnavailable(backendId, 'http', { ...cause, status: fault.status, detail: fault.detail })
    case 'too-large': {
      const detail = `the answer is larger than ${fault.limitBytes} bytes`
      return new BackendUnavailable(backendId, 'too-large', { ...cause, detail })
    }
    case 'rejected':
      return fromRpcError(backendId, fault.error, cause)
    case 'http':
      return fromHttp(backendId, fault, cause)
  }
}

function fromHttp(backendId: string, fault: WireFault & { readonly kind: 'http' }, cause: ErrorOptions): VmcpError {
  if (isAuthStatus(fault.status)) return new BackendAuthenticationFailed(backendId, cause)
  if (fault.isOwn === true && fault.rpcError !== undefined && fault.status < 500) {
    return fromRpcError(backendId, fault.rpcError, cause)
  }
  const detail = fault.sessionLost === true ? 'it does not keep our session' : `HTTP ${fault.status}`
  return new BackendUnavailable(backendId, 'http', { ...cause, status: fault.status, detail })
}

/** Errors that describe our hop are ours to explain; every other error is the backend's and is relayed as it is. */
function fromRpcError(backendId: string, error: RpcError, cause: ErrorOptions): VmcpError {
  const missing = error.code === -32021 ? missingCapability(error.data) : undefined
  if (missing !== undefined) return new ClientCapabilityMissing(missing, cause)
  if (error.code <= -32020 && error.code >= -32022) {
    const detail = `it refuses our way to speak the protocol (code ${error.code})`
    return new BackendUnavailable(backendId, 'protocol', { ...cause, detail })
  }
  return new BackendRejected(backendId, error, cause)
}

function missingCapability(data: unknown): 'elicitation' | 'sampling' | 'roots' | undefined {
  const required = isJsonObject(data) && isJsonObject(data['requiredCapabilities']) ? data['requiredCapabilities'] : {}
  return (['elicitation', 'sampling', 'roots'] as const).find((kind) => kind in required)
}
