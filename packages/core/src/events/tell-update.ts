import type { VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import type { Route } from '../aggregator/view.js'
import { matchResource } from '../router/match-resource.js'
import { look } from '../verbs/look.js'
import type { WatchedRooms } from './events.js'
import type { Subscriber } from './subscriber.js'

/** Tells a subscriber that a resource has changed, under the URI it asked for, if it may read that. */
export const tellUpdate = Effect.fnUntraced(function* (
  subscriber: Subscriber,
  updated: Route,
): Effect.fn.Return<void, VmcpError, WatchedRooms> {
  const { identity, options, tell } = subscriber
  const { view } = yield* look(identity, options)
  const admission = yield* Admission
  for (const uri of options.resources ?? []) {
    const route = matchResource(view, uri)
    if (route?.backendId !== updated.backendId || route.name !== updated.name) continue
    const { allowed } = yield* admission.decide(identity, { kind: 'resource', uri })
    if (allowed) tell({ type: 'resource-updated', uri })
  }
})
