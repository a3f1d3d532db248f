import { silentLogger } from '@vmcp/domain'
import type { Logger } from '@vmcp/domain'
import * as Context from 'effect/Context'
import * as Layer from 'effect/Layer'

import type { AggregationConfig, CoreConfig, TimeoutConfig } from './core-config.js'

/** The part of the configuration that verbs read, with its defaults. */
export interface SettingsShape {
  readonly logger: Logger
  readonly aggregation: AggregationConfig
  /** Milliseconds that a backend may stay silent. */
  readonly silenceMs: (backendId: string) => number
  /** Milliseconds for one answer of a backend, progress or not. */
  readonly totalMs: number
}

/** How the core was configured. */
export class Settings extends Context.Service<Settings, SettingsShape>()('@vmcp/core/Settings') {
  static layer(config: CoreConfig): Layer.Layer<Settings> {
    const { timeouts } = config
    return Layer.succeed(Settings, {
      logger: config.logger ?? silentLogger,
      aggregation: config.aggregation ?? {},
      silenceMs: (backendId) => silenceMs(timeouts, backendId),
      totalMs: timeouts?.totalMs ?? 600_000,
    })
  }
}

/** Milliseconds that a backend may stay silent; 30 000 unless configured. */
export function silenceMs(timeouts: TimeoutConfig | undefined, backendId: string): number {
  const { perBackendMs = {}, defaultMs = 30_000 } = timeouts ?? {}
  return (Object.hasOwn(perBackendMs, backendId) ? perBackendMs[backendId] : undefined) ?? defaultMs
}
