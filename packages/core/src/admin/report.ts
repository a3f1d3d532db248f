import type { CallOptions, Identity, ViewReport, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { Rooms } from '../rooms.js'
import { look } from '../verbs/look.js'

/** What the caller's view was made of, composite tools included. */
export const report = Effect.fnUntraced(function* (
  identity: Identity | null,
  options?: CallOptions,
): Effect.fn.Return<ViewReport, VmcpError, Rooms> {
  const { view, tools, findings } = yield* look(identity, options)
  const { counts, strategy, findings: found } = view.report
  return { counts: { ...counts, tools: tools.length }, strategy, findings: [...found, ...findings] }
})
