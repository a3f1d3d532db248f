import { NotFound } from '@vmcp/domain'
import type { CallOptions, Identity, Prompt, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Rooms } from '../rooms.js'
import { look } from './look.js'
import { aboutPrompt } from './questions.js'

/** The listed prompt of that name. A denied one is not found. */
export const lookupPrompt = Effect.fnUntraced(function* (
  identity: Identity | null,
  name: string,
  options?: CallOptions,
): Effect.fn.Return<Prompt, VmcpError, Rooms> {
  const prompt = (yield* look(identity, options)).view.prompts.get(name)?.item
  const admission = yield* Admission
  if (prompt !== undefined && (yield* admission.decide(identity, aboutPrompt(prompt))).allowed) return prompt
  return yield* Effect.fail(new NotFound('prompt', name))
})
