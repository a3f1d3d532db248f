import type { BackendStatus, CapabilityKind, ExplanationStep, Finding } from '@vmcp/domain'

import type { Route } from '../aggregator/view.js'
import type { Offer } from '../composites/offer.js'
import type { AggregationConfig } from '../core-config.js'
import type { Located } from './locate.js'

/** What the way of a capability is read from. */
export interface WayFacts {
  readonly kind: CapabilityKind
  readonly offer: Offer
  readonly aggregation: AggregationConfig
  readonly statuses: ReadonlyMap<string, BackendStatus>
}

/** The steps from a backend to the door of the policy, up to the first that fails. */
export function describeWay(
  located: Exclude<Located, { type: 'unknown' }>,
  facts: WayFacts,
): readonly ExplanationStep[] {
  switch (located.type) {
    case 'composite':
      return [passedStep('offer', 'it is a composite tool, and every tool of its steps exists')]
    case 'dropped-composite':
      return [failedStep('offer', located.message)]
    case 'left-out': {
      const { finding } = located
      const route = { backendId: finding.backendId, name: finding.subject }
      const check = finding.reason === 'lost-conflict' ? 'conflict' : 'offer'
      const offered = check === 'conflict' ? [offeredStep(facts.kind, route)] : []
      return upToFirstFailure([...backendSteps(route, facts), ...offered, failedStep(check, finding.message)])
    }
    case 'renamed':
      return upToFirstFailure([
        ...backendSteps(located.route, facts),
        offeredStep(facts.kind, located.route),
        failedStep(
          'conflict',
          `it is not called that here, but ${located.names.map((name) => `"${name}"`).join(' or ')}`,
        ),
      ])
    case 'matched':
      return upToFirstFailure([
        ...backendSteps(located.route, facts),
        passedStep('offer', 'a template that the backend lists matches it'),
      ])
    default:
      return upToFirstFailure([
        ...backendSteps(located.route, facts),
        offeredStep(facts.kind, located.route),
        ...shapingSteps(located, facts),
      ])
  }
}

/** The step at which the way ends. */
export function failedStep(check: ExplanationStep['check'], message: string): ExplanationStep {
  return { check, passed: false, message }
}

function passedStep(check: ExplanationStep['check'], message: string): ExplanationStep {
  return { check, passed: true, message }
}

function upToFirstFailure(steps: readonly ExplanationStep[]): readonly ExplanationStep[] {
  const failure = steps.findIndex(({ passed }) => !passed)
  return failure === -1 ? steps : steps.slice(0, failure + 1)
}

function backendSteps({ backendId }: Route, { statuses }: WayFacts): readonly ExplanationStep[] {
  const status = statuses.get(backendId)
  if (status === undefined) return [failedStep('backend', `there is no backend ${backendId}`)]
  const { health, circuit, lastFailure } = status
  const why = lastFailure === undefined ? '' : `; its last failure was ${lastFailure}`
  const serves = health !== 'unhealthy' && health !== 'unauthenticated'
  return [
    passedStep('backend', `backend ${backendId} is configured`),
    circuit === 'open'
      ? failedStep('health', `the circuit breaker of backend ${backendId} is open: calls fail at once${why}`)
      : serves
        ? passedStep('health', health === 'unknown' ? 'it is not watched, or not yet' : `it is ${health}`)
        : failedStep('health', `it is ${health}, and not served${why}`),
  ]
}

function offeredStep(kind: CapabilityKind, { backendId, name }: Route): ExplanationStep {
  return passedStep('offer', `backend ${backendId} offers ${kind} "${name}"`)
}

function shapingSteps(
  located: Extract<Located, { type: 'advertised' | 'hidden' }>,
  { kind, offer, aggregation }: WayFacts,
): readonly ExplanationStep[] {
  const { route, name } = located
  const own = offer.view.report.findings.filter(
    (finding) => finding.backendId === route.backendId && finding.kind === kind && finding.subject === route.name,
  )
  const message = (reason: Finding['reason']): string | undefined =>
    own.find((finding) => finding.reason === reason)?.message
  const named = name === route.name ? 'it keeps its name' : `it is advertised as "${name}"`
  const renamed = message('name-repaired') ?? message('renamed')
  const conflict = passedStep('conflict', renamed === undefined ? named : `${named}: ${renamed}`)
  if (kind !== 'tool') return [conflict]

  const config = aggregation.tools?.find(({ workload }) => workload === route.backendId)
  const hidden = located.type === 'hidden' ? (message('hidden') ?? 'a setting hides it from clients') : undefined
  const byFilter =
    aggregation.excludeAllTools !== true && config?.excludeAll !== true && (config?.filter?.length ?? 0) > 0
  const isOverridden = Object.hasOwn(config?.overrides ?? {}, route.name)
  return [
    hidden !== undefined && byFilter
      ? failedStep('filter', hidden)
      : passedStep('filter', byFilter ? 'the filter names it' : 'no filter applies'),
    conflict,
    passedStep('override', message('invalid-override') ?? (isOverridden ? 'its override is applied' : 'none')),
    hidden === undefined
      ? passedStep('visibility', 'clients are shown it')
      : failedStep('visibility', `${hidden}; workflows may use it`),
  ]
}
