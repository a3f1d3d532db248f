import { NotFound } from '@vmcp/domain'
import type { CallOptions, Identity, Tool, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Rooms } from '../rooms.js'
import { look } from './look.js'
import { aboutTool } from './questions.js'

/** The listed tool of that name. A denied one is not found. */
export const lookupTool = Effect.fnUntraced(function* (
  identity: Identity | null,
  name: string,
  options?: CallOptions,
): Effect.fn.Return<Tool, VmcpError, Rooms> {
  const tool = (yield* look(identity, options)).toolsByName.get(name)
  const admission = yield* Admission
  if (tool !== undefined && (yield* admission.decide(identity, aboutTool(tool))).allowed) return tool
  return yield* Effect.fail(new NotFound('tool', name))
})
