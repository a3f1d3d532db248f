import type { ExplanationStep, VmcpError } from '@vmcp/domain'

import { describeBackendError } from '../aggregator/ask-backend.js'
import { failedStep } from './way.js'

/** The step at which everything ends for a caller who has no view; nothing for an error that says nothing of views. */
export function noViewStep(error: VmcpError): ExplanationStep | undefined {
  switch (error._tag) {
    case 'BackendUnavailable':
    case 'BackendTimeout':
    case 'BackendAuthenticationFailed':
    case 'BackendRejected':
      return failedStep('health', `nothing at all is served to this caller: ${describeBackendError(error)}`)
    case 'CapabilityConflict':
      return failedStep('conflict', `nothing at all is served: ${error.message}`)
    default:
      return undefined
  }
}
