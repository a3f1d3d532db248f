import type { Identity, SubscribeOptions, VmcpEvent, VmcpEvents } from '@vmcp/domain'
import * as Context from 'effect/Context'
import * as Layer from 'effect/Layer'

import type { Admission } from '../admission/admission.js'
import type { Aggregator } from '../aggregator/aggregator.js'
import type { Backends } from '../backends/backends.js'
import type { Composites } from '../composites/composites.js'
import type { Health } from '../health/health.js'
import type { Settings } from '../settings.js'
import { watchChanges } from './watch-changes.js'

/** The rooms that a watch of changes looks into. */
export type WatchedRooms = Admission | Aggregator | Backends | Composites | Health | Settings

/** What the events room does. */
export interface EventsShape {
  /** Tells `listener` of changes of this caller's own view until the returned function is called or the scope ends. */
  readonly subscribe: (
    identity: Identity | null,
    listener: (event: VmcpEvent) => void,
    options?: SubscribeOptions,
  ) => () => void
  /** Tells the backends that hold a session for this caller's client that its folders have changed. */
  readonly rootsChanged: NonNullable<VmcpEvents['rootsChanged']>
}

/** What changes, and for whom it is a change. */
export class Events extends Context.Service<Events, EventsShape>()('@vmcp/core/Events') {
  static layer: Layer.Layer<Events, never, WatchedRooms> = Layer.effect(Events, watchChanges)
}
