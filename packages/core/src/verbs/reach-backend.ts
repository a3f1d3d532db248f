import { BackendUnavailable } from '@vmcp/domain'
import type { CallOptions } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Backends } from '../backends/backends.js'
import { Health } from '../health/health.js'
import { Settings } from '../settings.js'
import { BackendCall } from './backend-call.js'
import type { Errand } from './backend-call.js'

/** The call of one backend, to be made by whoever runs the verb. */
export const reachBackend = Effect.fnUntraced(function* <Answer, Result>(
  errand: Errand<Answer, Result>,
  options: CallOptions | undefined,
): Effect.fn.Return<BackendCall<Answer, Result>, BackendUnavailable, Backends | Health | Settings> {
  const { backendId } = errand
  const health = yield* Health
  const { silenceMs, totalMs } = yield* Settings
  const backend = (yield* Backends).get(backendId)
  if (backend === undefined) return yield* Effect.fail(new BackendUnavailable(backendId, 'unreachable'))
  const clock = yield* Effect.clockWith(Effect.succeed)
  const circuit = health.circuit(backendId)
  const site = { client: backend.client, circuit, clock, silenceMs: silenceMs(backendId), totalMs }
  return new BackendCall(errand, site, options)
})
