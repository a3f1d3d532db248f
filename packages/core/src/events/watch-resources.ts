import type { VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import { Backends } from '../backends/backends.js'
import { matchResource } from '../router/match-resource.js'
import { Settings } from '../settings.js'
import { look } from '../verbs/look.js'
import type { WatchedRooms } from './events.js'
import { stoppable } from './stoppable.js'
import type { Subscriber } from './subscriber.js'

/**
 * Has backends report updates of the resources that a subscriber asked for and may read. What is watched already stays
 * so; what another backend serves now is watched there.
 */
export const watchResources = Effect.fnUntraced(function* (
  subscriber: Subscriber,
): Effect.fn.Return<void, VmcpError, WatchedRooms> {
  const { identity, options, watches } = subscriber
  if (options.resources === undefined || options.resources.length === 0) return
  const { forwardedHeaders } = options
  const { view } = yield* look(identity, options)
  const admission = yield* Admission
  const backends = yield* Backends
  const { logger } = yield* Settings
  for (const uri of options.resources) {
    const route = matchResource(view, uri)
    const watched = watches.get(uri)
    if (route === undefined || watched?.backendId === route.backendId) continue
    if (!(yield* admission.decide(identity, { kind: 'resource', uri })).allowed || !subscriber.isListening()) continue
    watched?.stop()
    const { backendId, name } = route
    const headers = forwardedHeaders === undefined ? {} : { forwardedHeaders }
    const client = backends.get(backendId)?.client
    const stop = stoppable({ backendId, logger, start: () => client?.watchResource?.(identity, name, headers) })
    watches.set(uri, { backendId, stop })
  }
})
