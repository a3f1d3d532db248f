import type { Backend, CallOptions, Finding, Identity, Logger } from '@vmcp/domain'
import { silentLogger } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'

import { Backends } from '../../backends/backends.js'
import { Health } from '../../health/health.js'
import type { HealthShape } from '../../health/health.js'
import { Aggregator } from '../aggregator.js'
import type { AggregatorOptions } from '../aggregator.js'
import type { View } from '../view.js'

/** What a test sets; the rest has defaults. */
export interface Setup extends Partial<AggregatorOptions> {
  readonly health?: Partial<HealthShape> & { readonly serves?: (backendId: string) => boolean }
}

/** The rooms around an aggregator, with a health that serves everything unless told otherwise. */
export function aggregatorLayer(backends: readonly Backend[], setup: Setup = {}): Layer.Layer<Aggregator> {
  const { health: { serves = () => true, ...health } = {}, ...options } = setup
  const fakeHealth: HealthShape = {
    served: () => backends.filter(({ id }) => serves(id)),
    statuses: () => [],
    guard: (_backendId, call) => call,
    circuit: () => undefined,
    learned: () => undefined,
    onChange: () => () => undefined,
    firstRound: Effect.void,
    ...health,
  }
  return Aggregator.layer({ discoveryTimeoutMs: () => 5000, logger: silentLogger, ...options }).pipe(
    Layer.provide(Layer.mergeAll(Backends.layer(backends), Layer.succeed(Health, fakeHealth))),
  )
}

/** One view of these backends. Rejects with the error of the aggregator. */
export function aggregate(
  backends: readonly Backend[],
  setup: Setup = {},
  caller: { readonly identity?: Identity; readonly options?: CallOptions } = {},
): Promise<View> {
  const view = Effect.flatMap(Aggregator, (aggregator) => aggregator.view(caller.identity ?? null, caller.options))
  return Effect.runPromise(Effect.provide(view, aggregatorLayer(backends, setup)))
}

/** The advertised tools, as `name -> backend/own name`. */
export function advertised(view: View): readonly string[] {
  return [...view.tools]
    .filter(([, tool]) => !tool.hidden)
    .map(([name, { route }]) => `${name} -> ${route.backendId}/${route.name}`)
}

/** Every tool, hidden ones too, as `name -> backend/own name`. */
export function routable(view: View): readonly string[] {
  return [...view.tools].map(([name, { route }]) => `${name} -> ${route.backendId}/${route.name}`)
}

/** The prompts, as `name -> backend/own name`. */
export function promptRoutes(view: View): readonly string[] {
  return [...view.prompts].map(([name, { route }]) => `${name} -> ${route.backendId}/${route.name}`)
}

/** The findings of a view with this reason. */
export function findingsOf(view: View, reason: Finding['reason']): readonly Finding[] {
  return view.report.findings.filter((finding) => finding.reason === reason)
}

/** A logger that keeps its lines. */
export function recordingLogger(): Logger & { readonly lines: { level: string; message: string; fields: unknown }[] } {
  const lines: { level: string; message: string; fields: unknown }[] = []
  const at = (level: string) => (message: string, fields?: unknown) => void lines.push({ level, message, fields })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
