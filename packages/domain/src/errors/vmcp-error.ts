import type {
  BackendAuthenticationFailed,
  BackendRejected,
  BackendTimeout,
  BackendUnavailable,
} from './backend-errors.js'
import type {
  AuthorizationDenied,
  Cancelled,
  ClientCapabilityMissing,
  InvalidInput,
  InvalidRequestState,
  NotFound,
  RateLimited,
} from './capability-errors.js'
import type { CapabilityConflict, InvalidConfig, ToolNameConflict } from './config-errors.js'
import type { InternalError } from './internal-error.js'
import type {
  ContentTooLarge,
  ElicitationCancelled,
  ElicitationDeclined,
  ElicitationNotConfigured,
  ElicitationTimeout,
  SchemaTooDeep,
  SchemaTooLarge,
  WorkflowFailed,
} from './workflow-errors.js'

/** Every error that a public function of this project may throw or reject with. */
export type VmcpError =
  | AuthorizationDenied
  | BackendAuthenticationFailed
  | BackendRejected
  | BackendTimeout
  | BackendUnavailable
  | Cancelled
  | CapabilityConflict
  | ClientCapabilityMissing
  | ContentTooLarge
  | ElicitationCancelled
  | ElicitationDeclined
  | ElicitationNotConfigured
  | ElicitationTimeout
  | InternalError
  | InvalidConfig
  | InvalidInput
  | InvalidRequestState
  | NotFound
  | RateLimited
  | SchemaTooDeep
  | SchemaTooLarge
  | ToolNameConflict
  | WorkflowFailed

/** The tags of `VmcpError`: what an error table has a row for. */
export type VmcpErrorTag = VmcpError['_tag']

/** True for an error of this project, whichever copy of the package made it. */
export function isVmcpError(error: unknown): error is VmcpError {
  const tag = error instanceof Error ? (error as { _tag?: unknown })._tag : undefined
  return typeof tag === 'string' && Object.hasOwn(tags, tag)
}

const tags: Record<VmcpErrorTag, true> = {
  AuthorizationDenied: true,
  BackendAuthenticationFailed: true,
  BackendRejected: true,
  BackendTimeout: true,
  BackendUnavailable: true,
  Cancelled: true,
  CapabilityConflict: true,
  ClientCapabilityMissing: true,
  ContentTooLarge: true,
  ElicitationCancelled: true,
  ElicitationDeclined: true,
  ElicitationNotConfigured: true,
  ElicitationTimeout: true,
  InternalError: true,
  InvalidConfig: true,
  InvalidInput: true,
  InvalidRequestState: true,
  NotFound: true,
  RateLimited: true,
  SchemaTooDeep: true,
  SchemaTooLarge: true,
  ToolNameConflict: true,
  WorkflowFailed: true,
}
