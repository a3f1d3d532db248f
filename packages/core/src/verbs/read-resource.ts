import { NotFound } from '@vmcp/domain'
import type {
  CallOptions,
  Identity,
  InputRequired,
  ReadResourceRequest,
  ReadResourceResult,
  VmcpError,
} from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { matchResource } from '../router/match-resource.js'
import type { Rooms } from '../rooms.js'
import { admit } from './admit.js'
import type { DecidedCall } from './backend-call.js'
import { look } from './look.js'
import { reachBackend } from './reach-backend.js'
import { relaying, requestMeta } from './relayed.js'
import { retryFields } from './retry-fields.js'

/** Reads a listed resource, or one that a listed template matches. The policy is asked about the URI itself. */
export const readResource = Effect.fnUntraced(function* (
  identity: Identity | null,
  request: ReadResourceRequest,
  options?: CallOptions,
): Effect.fn.Return<DecidedCall<Answer>, VmcpError, Rooms> {
  const { uri } = request
  const { view } = yield* look(identity, options)
  yield* admit(identity, { kind: 'resource', uri })
  const route = matchResource(view, uri)
  if (route === undefined) return yield* Effect.fail(new NotFound('resource', uri))
  const reading = { uri: route.name, ...requestMeta(request.meta), ...retryFields(request) }
  return yield* reachBackend<Answer, Answer>(
    {
      backendId: route.backendId,
      list: 'contents',
      ask: (client, backendOptions) => client.readResource?.(identity, reading, backendOptions),
      read: relaying(route.backendId, { kind: 'resource', name: uri }),
    },
    options,
  )
})

type Answer = ReadResourceResult | InputRequired
