import type { CallOptions, Identity, ResourceTemplate, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Rooms } from '../rooms.js'
import { look } from './look.js'
import { aboutTemplate } from './questions.js'

/** The templates that the caller may read from. */
export const listResourceTemplates = Effect.fnUntraced(function* (
  identity: Identity | null,
  options?: CallOptions,
): Effect.fn.Return<readonly ResourceTemplate[], VmcpError, Rooms> {
  const { templates } = yield* look(identity, options)
  return yield* (yield* Admission).keep(identity, templates, aboutTemplate)
})
