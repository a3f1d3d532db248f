import type { Backend, CallOptions, Finding, Identity } from '@vmcp/domain'
import { BackendUnavailable, CapabilityConflict } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'

import type { BackendsShape } from '../backends/backends.js'
import type { HealthShape } from '../health/health.js'
import type { AggregatorOptions } from './aggregator-options.js'
import { describeBackendError } from './ask-backend.js'
import type { Asked, Asking } from './first-answers.js'
import { createMerge } from './merge.js'
import type { BackendError, Offer } from './offer.js'
import { queryBackend } from './query.js'
import { createReportLog } from './report-log.js'
import type { View } from './view.js'
import { whileServed } from './while-served.js'

/** One view to build. */
export interface ViewOrder {
  readonly key: string
  readonly identity: Identity | null
  readonly forwardedHeaders: CallOptions['forwardedHeaders']
  /** The backends that are well enough to be asked, by id. */
  readonly served: readonly Backend[]
}

/** What a view builder works with. */
export interface ViewBuilderRooms {
  readonly backends: BackendsShape
  readonly health: HealthShape
  /** Asks backends, and says which of them are late. */
  readonly askAll: (askings: readonly Asking[]) => Effect.Effect<readonly Asked[]>
}

/** Builds views: asks every served backend, and merges what they answer by the rules of the configuration. */
export function createViewBuilder(
  options: AggregatorOptions,
  { backends, health, askAll }: ViewBuilderRooms,
): (order: ViewOrder) => Effect.Effect<View, BackendError | CapabilityConflict> {
  const merge = createMerge(options.aggregation ?? {}, new Set(backends.all.map((backend) => backend.id)))
  const log = createReportLog(options.logger)
  const failsTogether = options.partialFailureMode === 'fail'

  const ask = (backend: Backend, { identity, forwardedHeaders }: ViewOrder) => {
    const asking = queryBackend(backend, identity, {
      timeoutMs: options.discoveryTimeoutMs(backend.id),
      ...(forwardedHeaders === undefined ? {} : { forwardedHeaders }),
    }).pipe(
      // Whatever a client hands over: it must not harm the others.
      Effect.catchDefect((cause) => Effect.fail(new BackendUnavailable(backend.id, 'protocol', { cause }))),
    )
    return whileServed(health, backend.id, health.guard(backend.id, asking))
  }

  return Effect.fnUntraced(function* (order: ViewOrder): Effect.fn.Return<View, BackendError | CapabilityConflict> {
    const { served } = order
    const left = backends.all.find((backend) => !served.includes(backend))
    if (failsTogether && left !== undefined) return yield* Effect.fail(new BackendUnavailable(left.id, 'unhealthy'))
    const answers = yield* askAll(
      served.map((backend) => ({
        backend,
        key: `${backend.id}\0${order.key}`,
        viewKey: order.key,
        ask: ask(backend, order),
      })),
    )
    const offers: Offer[] = []
    const failures: BackendError[] = []
    const findings: Finding[] = []
    answers.forEach((answer, index) => {
      const backendId = served[index]?.id ?? ''
      if (answer === 'late') findings.push(failed(backendId, late))
      else if (Result.isSuccess(answer)) {
        offers.push(answer.success)
        health.learned(backendId, factsOf(answer.success))
      } else {
        failures.push(answer.failure)
        findings.push(failed(backendId, describeBackendError(answer.failure)))
      }
    })
    const failure = failsTogether
      ? (failures[0] ?? offers.flatMap((offer) => offer.failures)[0])
      : offers.length === 0 && backends.all.length > 0
        ? nobodyAnswered(served.length > 0 ? served : backends.all, failures)
        : undefined
    if (failure !== undefined) {
      log(order.key, findings)
      return yield* Effect.fail(failure)
    }
    const view = yield* Effect.try({
      try: () => merge({ offers, askedCount: served.length, findings }),
      catch: (error) => {
        if (error instanceof CapabilityConflict) return error
        throw error
      },
    })
    log(order.key, view.report.findings)
    return view
  })
}

function nobodyAnswered(backends: readonly Backend[], failures: readonly BackendError[]): BackendError {
  const [first] = failures
  if (first !== undefined && failures.every((failure) => failure._tag === 'BackendAuthenticationFailed')) return first
  const detail = 'no backends returned capabilities'
  const backendIds = backends.map((backend) => backend.id).join(', ')
  if (first === undefined) return new BackendUnavailable(backendIds, 'unhealthy', { detail })
  return new BackendUnavailable(backendIds, 'unreachable', { detail, cause: first })
}

function factsOf(offer: Offer) {
  const { tools, resources, templates, prompts, protocolVersion, failures } = offer
  const offers = {
    tools: tools.length,
    resources: resources.length,
    templates: templates.length,
    prompts: prompts.length,
  }
  return {
    ...(failures.length > 0 ? {} : { offers }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
  }
}

const late = 'it has not answered yet, and joins as soon as it does'

function failed(backendId: string, why: string): Finding {
  return {
    reason: 'backend-failed',
    kind: 'backend',
    subject: backendId,
    backendId,
    message: `the backend gave no lists: ${why}`,
  }
}
