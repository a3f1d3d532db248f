import type { CallOptions, Identity, Prompt, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Rooms } from '../rooms.js'
import { look } from './look.js'
import { aboutPrompt } from './questions.js'

/** The prompts that the caller may get. */
export const listPrompts = Effect.fnUntraced(function* (
  identity: Identity | null,
  options?: CallOptions,
): Effect.fn.Return<readonly Prompt[], VmcpError, Rooms> {
  const { prompts } = yield* look(identity, options)
  return yield* (yield* Admission).keep(identity, prompts, aboutPrompt)
})
