import { BackendTimeout } from '@vmcp/domain'
import type { Backend } from '@vmcp/domain'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'

import { failureCategory } from './evidence.js'
import type { FailureCategory } from './evidence.js'
import type { HealthSettings } from './health-settings.js'

/** What one probe found. */
export type ProbeResult =
  | {
      readonly outcome: 'success'
      readonly health: 'healthy' | 'degraded'
      /** What the backend told beside. */
      readonly facts?: { readonly protocolVersion: string }
    }
  | {
      readonly outcome: 'failure'
      readonly health: 'unhealthy' | 'unauthenticated'
      readonly category: FailureCategory
    }

/**
 * Asks a backend, as nobody, whether it answers.
 * Its `probe` is used where it has one, else `describe`. That neither renews a session that others use, nor takes a 405
 * on GET for a fault, is the client's promise. A backend that wants credentials of its users answers a probe with a
 * refusal: that counts as healthy where an outgoing strategy is set, since a probe has no user.
 */
export const probe = (backend: Backend, settings: HealthSettings): Effect.Effect<ProbeResult> =>
  Effect.gen(function* () {
    const start = yield* Clock.monotonicTimeNanos
    const description = yield* ask(backend)
    const elapsedMs = Number((yield* Clock.monotonicTimeNanos) - start) / 1e6
    const health = elapsedMs > settings.degradedThresholdMs ? 'degraded' : 'healthy'
    return success(health, description?.protocolVersion)
  }).pipe(
    Effect.timeoutOrElse({
      duration: settings.checkTimeoutMs,
      orElse: () => Effect.fail(new BackendTimeout(backend.id, settings.checkTimeoutMs)),
    }),
    Effect.catch((error: unknown) => Effect.succeed(failureOf(error, backend))),
  )

function ask({ client }: Backend) {
  return Effect.tryPromise({
    try: async (signal) => {
      if (client.probe === undefined) return client.describe(null, { signal })
      await client.probe({ signal })
      return undefined
    },
    catch: (error) => error,
  })
}

function success(health: 'healthy' | 'degraded', protocolVersion: string | undefined): ProbeResult {
  if (protocolVersion === undefined) return { outcome: 'success', health }
  return { outcome: 'success', health, facts: { protocolVersion } }
}

function failureOf(error: unknown, backend: Backend): ProbeResult {
  const category = failureCategory(error)
  if (category !== 'authentication_failed') return { outcome: 'failure', health: 'unhealthy', category }
  if (backend.authentication !== undefined) return { outcome: 'success', health: 'healthy' }
  return { outcome: 'failure', health: 'unauthenticated', category }
}
