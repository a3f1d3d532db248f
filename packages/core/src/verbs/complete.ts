import type {
  CallOptions,
  CompleteRequest,
  CompleteResult,
  CompletionReference,
  Identity,
  VmcpError,
} from '@vmcp/domain'
import { relayableMeta } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { Question } from '../admission/question.js'
import type { Route, View } from '../aggregator/view.js'
import { matchResource } from '../router/match-resource.js'
import type { Rooms } from '../rooms.js'
import { admit } from './admit.js'
import type { DecidedCall } from './backend-call.js'
import { look } from './look.js'
import { reachBackend } from './reach-backend.js'
import { requestMeta } from './relayed.js'

const nothing: CompleteResult = { values: [] }
const methodNotFound = -32601

/** Suggests values for an argument. A reference that leads nowhere has none, and so has a backend that cannot complete. */
export const complete = Effect.fnUntraced(function* (
  identity: Identity | null,
  request: CompleteRequest,
  options?: CallOptions,
): Effect.fn.Return<CompleteResult | DecidedCall<CompleteResult>, VmcpError, Rooms> {
  const { ref, argument, context } = request
  const question = questionOf(ref)
  if (question === undefined) return nothing
  const { view } = yield* look(identity, options)
  yield* admit(identity, question)
  const route = routeOf(view, ref)
  if (route === undefined) return nothing
  const completion: CompleteRequest = {
    ref: ref.type === 'ref/prompt' ? { type: ref.type, name: route.name } : { type: ref.type, uri: route.name },
    argument,
    ...(context !== undefined && { context }),
    ...requestMeta(request.meta),
  }
  return yield* reachBackend<CompleteResult, CompleteResult>(
    {
      backendId: route.backendId,
      list: 'values',
      ask: (client, backendOptions) => client.complete?.(identity, completion, backendOptions),
      read: (result) => (result === undefined ? nothing : relayableCompletion(result)),
      recover: (error) => (isMethodNotFound(error) ? nothing : undefined),
    },
    options,
  )
})

function relayableCompletion({ meta: given, ...answer }: CompleteResult): CompleteResult {
  const meta = relayableMeta(given)
  return meta === undefined ? answer : { ...answer, meta }
}

function questionOf(ref: CompletionReference): Question | undefined {
  switch (ref.type) {
    case 'ref/prompt':
      return { kind: 'prompt', name: ref.name }
    case 'ref/resource':
      return { kind: 'resource', uri: ref.uri }
    default:
      return undefined
  }
}

function routeOf(view: View, ref: CompletionReference): Route | undefined {
  return ref.type === 'ref/prompt' ? view.prompts.get(ref.name)?.route : matchResource(view, ref.uri)
}

function isMethodNotFound(error: VmcpError): boolean {
  return error._tag === 'BackendRejected' && error.code === methodNotFound
}
