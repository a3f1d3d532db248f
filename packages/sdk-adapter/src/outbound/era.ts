import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { statelessRevision } from './http/protocol-headers.js'
import type { RpcAnswer } from './json-rpc.js'
import type { RpcError, WireFault } from './wire-failure.js'

/** A generation of the protocol: `2025` opens sessions (2024-11-05 to 2025-11-25), `2026` is stateless (2026-07-28). */
export type Era = '2025' | '2026'

/**
 * What a `server/discover` probe tells. `inconclusive` is a matter of the moment and is not remembered. A backend of 2026 may
 * show its era by an error of that era: then there is no discovery.
 */
export type ProbeVerdict =
  { readonly era: '2026'; readonly discover?: JsonObject } | { readonly era: '2025' } | { readonly era: 'inconclusive' }

const refusesThisRequest = new Set([-32020, -32021])
const unsupportedVersion = -32022

/** Reads the answer to a probe. An error of the 2026 protocol is as good a sign of it as a result. */
export function eraOfAnswer(answer: RpcAnswer): ProbeVerdict {
  if ('error' in answer) return eraOfError(answer.error)
  const { result } = answer
  if (!isJsonObject(result) || typeof result['resultType'] !== 'string') return { era: '2025' }
  if (result['resultType'] !== 'complete') return { era: '2026' }
  return isListed(result['supportedVersions'], statelessRevision) ? { era: '2026', discover: result } : { era: '2025' }
}

/** Reads the failure of a probe. */
export function eraOfFault(fault: WireFault): ProbeVerdict {
  if (fault.kind === 'rejected') return eraOfError(fault.error)
  if (fault.kind === 'protocol') return fault.violation === undefined ? { era: 'inconclusive' } : { era: '2025' }
  if (fault.kind !== 'http' || isPassing(fault.status)) return { era: 'inconclusive' }
  return fault.rpcError === undefined ? { era: '2025' } : eraOfError(fault.rpcError)
}

function eraOfError(error: RpcError): ProbeVerdict {
  if (refusesThisRequest.has(error.code)) return { era: '2026' }
  const supported = isJsonObject(error.data) ? error.data['supported'] : undefined
  const speaksIt = error.code === unsupportedVersion && isListed(supported, statelessRevision)
  return speaksIt ? { era: '2026' } : { era: '2025' }
}

function isPassing(status: number): boolean {
  return status === 401 || status === 403 || status === 407 || status === 408 || status === 429 || status >= 500
}

function isListed(list: unknown, version: string): boolean {
  return Array.isArray(list) && list.includes(version)
}
