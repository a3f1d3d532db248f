import { BackendUnavailable, isVmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { BackendError } from './offer.js'

/** Asks a backend's client. Interrupting it aborts the signal; whatever the client throws becomes a backend error. */
export function askBackend<Answer>(
  backendId: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Effect.Effect<Answer, BackendError> {
  return Effect.tryPromise({ try: ask, catch: (error) => asBackendError(backendId, error) })
}

/** What a finding may say of a failure: nothing that the backend itself wrote. */
export function describeBackendError(error: BackendError): string {
  return error._tag === 'BackendRejected' ? `the backend answered error ${String(error.code)}` : error.message
}

function asBackendError(backendId: string, error: unknown): BackendError {
  if (!isVmcpError(error)) return new BackendUnavailable(backendId, 'protocol', { cause: error })
  switch (error._tag) {
    case 'BackendUnavailable':
    case 'BackendTimeout':
    case 'BackendAuthenticationFailed':
    case 'BackendRejected':
      return error
    case 'Cancelled':
      return new BackendUnavailable(backendId, 'closed', { cause: error })
    default:
      return new BackendUnavailable(backendId, 'protocol', { cause: error })
  }
}
