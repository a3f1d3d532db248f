import type { CallOptions, Identity, Tool, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Rooms } from '../rooms.js'
import { look } from './look.js'
import { aboutTool } from './questions.js'

/** The backend tools and composite tools that the caller may call. */
export const listTools = Effect.fnUntraced(function* (
  identity: Identity | null,
  options?: CallOptions,
): Effect.fn.Return<readonly Tool[], VmcpError, Rooms> {
  const { tools } = yield* look(identity, options)
  return yield* (yield* Admission).keep(identity, tools, aboutTool)
})
