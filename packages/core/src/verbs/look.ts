import type { CallOptions, Identity, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Aggregator } from '../aggregator/aggregator.js'
import { Composites } from '../composites/composites.js'
import type { Offer } from '../composites/offer.js'

/** What this caller's backends and workflows offer, before admission. */
export const look = Effect.fnUntraced(function* (
  identity: Identity | null,
  options: CallOptions | undefined,
): Effect.fn.Return<Offer, VmcpError, Aggregator | Composites> {
  const view = yield* (yield* Aggregator).view(identity, options)
  return (yield* Composites).offer(view)
})
