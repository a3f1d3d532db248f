import { silentLogger } from '@vmcp/domain'
import type { InvalidConfig } from '@vmcp/domain'
import * as Layer from 'effect/Layer'

import { Admission } from './admission/admission.js'
import { Aggregator } from './aggregator/aggregator.js'
import { Backends } from './backends/backends.js'
import { Composites } from './composites/composites.js'
import type { CoreConfig } from './core-config.js'
import { Events } from './events/events.js'
import { Health } from './health/health.js'
import { Settings, silenceMs } from './settings.js'

/** Every service of the core. */
export type Rooms = Admission | Aggregator | Backends | Composites | Events | Health | Settings

/** The rooms that start nothing, and that may find the configuration wrong. Built before the others. */
export function checkedRooms(config: CoreConfig): Layer.Layer<Admission | Composites | Settings, InvalidConfig> {
  const { name, authorization, logger = silentLogger } = config
  return Layer.mergeAll(
    Admission.layer({ serverName: name, logger, ...(authorization !== undefined && { authorization }) }),
    Composites.layer(config),
    Settings.layer(config),
  )
}

/** The rooms that reach for the backends. */
export function startedRooms(
  config: CoreConfig,
): Layer.Layer<Aggregator | Backends | Events | Health, InvalidConfig, Admission | Composites | Settings> {
  const { logger = silentLogger, health, aggregation = {}, partialFailureMode = 'best_effort' } = config
  return Events.layer.pipe(
    Layer.provideMerge(
      Aggregator.layer({
        logger,
        aggregation,
        partialFailureMode,
        discoveryTimeoutMs: (backendId) => silenceMs(config.timeouts, backendId),
        ...(config.timeouts?.firstAnswerMs !== undefined && { firstAnswerMs: config.timeouts.firstAnswerMs }),
      }),
    ),
    Layer.provideMerge(Health.layer({ logger, ...(health !== undefined && { health }) })),
    Layer.provideMerge(Backends.layer(config.backends)),
  )
}
