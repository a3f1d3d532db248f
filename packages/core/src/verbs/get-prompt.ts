import { NotFound } from '@vmcp/domain'
import type { CallOptions, GetPromptRequest, GetPromptResult, Identity, InputRequired, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { Rooms } from '../rooms.js'
import { admit } from './admit.js'
import type { DecidedCall } from './backend-call.js'
import { look } from './look.js'
import { promptArguments } from './prompt-arguments.js'
import { reachBackend } from './reach-backend.js'
import { relaying, requestMeta } from './relayed.js'
import { retryFields } from './retry-fields.js'

/** Gets a prompt. The policy is asked before existence. */
export const getPrompt = Effect.fnUntraced(function* (
  identity: Identity | null,
  request: GetPromptRequest,
  options?: CallOptions,
): Effect.fn.Return<DecidedCall<Answer>, VmcpError, Rooms> {
  const { name } = request
  const args = yield* promptArguments(request)
  const { view } = yield* look(identity, options)
  yield* admit(identity, { kind: 'prompt', name })
  const route = view.prompts.get(name)?.route
  if (route === undefined) return yield* Effect.fail(new NotFound('prompt', name))
  const getting = {
    name: route.name,
    ...(args !== undefined && { arguments: args }),
    ...requestMeta(request.meta),
    ...retryFields(request),
  }
  return yield* reachBackend<Answer, Answer>(
    {
      backendId: route.backendId,
      list: 'messages',
      ask: (client, backendOptions) => client.getPrompt?.(identity, getting, backendOptions),
      read: relaying(route.backendId, { kind: 'prompt', name }),
    },
    options,
  )
})

type Answer = GetPromptResult | InputRequired
