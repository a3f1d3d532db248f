import type { CallOptions, Identity, Resource, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Rooms } from '../rooms.js'
import { look } from './look.js'
import { aboutResource } from './questions.js'

/** The resources that the caller may read. */
export const listResources = Effect.fnUntraced(function* (
  identity: Identity | null,
  options?: CallOptions,
): Effect.fn.Return<readonly Resource[], VmcpError, Rooms> {
  const { resources } = yield* look(identity, options)
  return yield* (yield* Admission).keep(identity, resources, aboutResource)
})
