import { BackendUnavailable, isInputRequired, isJsonObject, isVmcpError } from '@vmcp/domain'
import type { BackendCallOptions, BackendClient, CallOptions, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Backends } from '../backends/backends.js'
import { Health } from '../health/health.js'
import { Settings } from '../settings.js'
import { withDeadline } from './deadline.js'

/** Who is asked, and for what. */
export interface Errand {
  readonly backendId: string
  /** The list that every answer has, unless it asks for input first. */
  readonly list: 'content' | 'contents' | 'messages' | 'values'
}

/**
 * Asks one backend, behind its circuit breaker and within its deadlines.
 * Interrupting it aborts the signal that the backend's client got, and so does a deadline. `undefined` means that the
 * client has no such method; an answer without the list that belongs to it is none.
 */
export const reachBackend = Effect.fnUntraced(function* <Answer>(
  { backendId, list }: Errand,
  options: CallOptions | undefined,
  ask: (client: BackendClient, options: BackendCallOptions) => Promise<Answer> | undefined,
): Effect.fn.Return<Answer | undefined, VmcpError, Backends | Health | Settings> {
  const health = yield* Health
  const { silenceMs, totalMs } = yield* Settings
  const backend = (yield* Backends).get(backendId)
  if (backend === undefined) return yield* Effect.fail(new BackendUnavailable(backendId, 'unreachable'))
  const limits = { silenceMs: silenceMs(backendId), totalMs, client: options?.client }
  const call = withDeadline(backendId, limits, {
    call: async (client, signal) => {
      const asked = ask(backend.client, {
        signal,
        ...(client !== undefined && { client }),
        ...(options?.forwardedHeaders !== undefined && { forwardedHeaders: options.forwardedHeaders }),
      })
      if (asked === undefined) return undefined
      const answer = await asked
      if (!isUsable(answer, list)) throw new BackendUnavailable(backendId, 'protocol')
      return answer
    },
    failed: (error) => asVmcpError(backendId, error),
  })
  return yield* health.guard(backendId, call)
})

function isUsable(answer: unknown, list: Errand['list']): boolean {
  return isJsonObject(answer) && (Array.isArray(answer[list]) || isInputRequired(answer))
}

/**
 * A client owes us errors of ours; whatever else it throws means that it gave no usable answer. When it cancels and nobody
 * here did, the connection has ended.
 */
function asVmcpError(backendId: string, error: unknown): VmcpError {
  if (!isVmcpError(error)) return new BackendUnavailable(backendId, 'protocol', { cause: error })
  return error._tag === 'Cancelled' ? new BackendUnavailable(backendId, 'closed', { cause: error }) : error
}
