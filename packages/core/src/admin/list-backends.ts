import type { BackendStatus, CallOptions, Identity, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import { Backends } from '../backends/backends.js'
import { Health } from '../health/health.js'
import type { Rooms } from '../rooms.js'
import { look } from '../verbs/look.js'
import { aboutPrompt, aboutResource, aboutTool } from '../verbs/questions.js'

/** The backends of which the caller can reach a tool, resource or prompt. Templates and composite tools do not count. */
export const listBackends = Effect.fnUntraced(function* (
  identity: Identity | null,
  options?: CallOptions,
): Effect.fn.Return<readonly BackendStatus[], VmcpError, Rooms> {
  if ((yield* Backends).all.length === 0) return []
  const { tools, resources, prompts } = yield* look(identity, options)
  const admission = yield* Admission
  const reachable = new Set(
    [
      ...(yield* admission.keep(identity, tools, aboutTool)),
      ...(yield* admission.keep(identity, resources, aboutResource)),
      ...(yield* admission.keep(identity, prompts, aboutPrompt)),
    ].map(({ backendId }) => backendId),
  )
  return (yield* Health).statuses().filter(({ id }) => reachable.has(id))
})
