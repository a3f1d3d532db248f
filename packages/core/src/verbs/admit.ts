import { AuthorizationDenied } from '@vmcp/domain'
import type { DeniedKind, Identity } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Question } from '../admission/question.js'

/** Goes on when the policy allows it, and fails with `AuthorizationDenied` otherwise. Asked before existence. */
export const admit = Effect.fnUntraced(function* (
  identity: Identity | null,
  question: Question,
): Effect.fn.Return<void, AuthorizationDenied, Admission> {
  const decision = yield* (yield* Admission).decide(identity, question)
  if (!decision.allowed) yield* Effect.fail(new AuthorizationDenied(deniedKinds[question.kind]))
})

const deniedKinds: Record<Question['kind'], DeniedKind> = { tool: 'call', resource: 'read', prompt: 'prompt' }
