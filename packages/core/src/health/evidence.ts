import { isVmcpError } from '@vmcp/domain'
import type { BackendUnavailable } from '@vmcp/domain'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'

/** What a failed call says of the backend: that it is down, that it answers, or nothing. */
export type Evidence = 'down' | 'answers' | 'none'

/**
 * Judges the error of a call.
 * What one caller can bring about must not shut out the others: refused credentials, an answer over the size limit and
 * an HTTP status below 500 are no sign that the backend is down. Nor is an answer that makes no sense: it may be that of
 * one tool only, and a probe finds out about the rest.
 */
export function evidenceOf(error: unknown): Evidence {
  if (!isVmcpError(error)) return 'none'
  switch (error._tag) {
    case 'BackendTimeout':
      return 'down'
    case 'BackendRejected':
    case 'NotFound':
      return 'answers'
    case 'BackendUnavailable':
      return evidenceOfUnavailable(error)
    default:
      return 'none'
  }
}

function evidenceOfUnavailable({ reason, status }: BackendUnavailable): Evidence {
  switch (reason) {
    case 'unreachable':
    case 'closed':
      return 'down'
    case 'http':
      return status === undefined || status >= 500 ? 'down' : 'none'
    case 'too-large':
      return 'answers'
    case 'protocol':
    case 'circuit-open':
    case 'unhealthy':
      return 'none'
  }
}

/** Judges how a call ended. One that was interrupted, or died of a fault of ours, shows nothing. */
export function evidenceOfExit(exit: Exit.Exit<unknown, unknown>): Evidence {
  if (Exit.isSuccess(exit)) return 'answers'
  const error = Exit.findErrorOption(exit)
  return Option.isSome(error) ? evidenceOf(error.value) : 'none'
}

/** The kinds of failure that status shows. The error itself, which may hold more than an operator should see, is not. */
export type FailureCategory =
  | 'authentication_failed'
  | 'timeout'
  | 'cancelled'
  | 'backend_unavailable'
  | 'connection_failed'
  | 'health_check_failed'

/** The kind of a probe's error. */
export function failureCategory(error: unknown): FailureCategory {
  if (!isVmcpError(error)) return 'health_check_failed'
  switch (error._tag) {
    case 'BackendAuthenticationFailed':
      return 'authentication_failed'
    case 'BackendTimeout':
      return 'timeout'
    case 'Cancelled':
      return 'cancelled'
    case 'BackendUnavailable':
      return error.reason === 'unreachable' || error.reason === 'closed' ? 'connection_failed' : 'backend_unavailable'
    default:
      return 'health_check_failed'
  }
}
