import { validateWorkflow } from '@vmcp/composer'
import type { ConfigProblem, Workflow } from '@vmcp/domain'

import { checkNumbers } from './check-numbers.js'
import type { AggregationConfig, AuthorizationConfig, CoreConfig } from './core-config.js'

/** Everything that is wrong in a configuration, except what only the policy engine knows. Nothing is started. */
export function checkConfig(config: CoreConfig): readonly ConfigProblem[] {
  return [
    ...(isBlank(config.name) ? [problem('name', 'is required')] : []),
    ...checkBackends(config.backends),
    ...checkAggregation(config.aggregation ?? {}),
    ...checkWorkflows(config.compositeTools ?? []),
    ...(config.authorization === undefined ? [] : checkAuthorization(config.authorization)),
    ...oneOf('partialFailureMode', config.partialFailureMode, ['best_effort', 'fail']),
    ...checkNumbers(config),
  ]
}

function checkBackends(backends: CoreConfig['backends']): readonly ConfigProblem[] {
  if (!Array.isArray(backends)) return [problem('backends', 'expected a list')]
  return backends.flatMap(({ id, client }, index) => [
    ...(isBlank(id) ? [problem(`backends[${index}].id`, 'is required')] : []),
    ...(client === undefined ? [problem(`backends[${index}].client`, 'is required')] : []),
    ...(!isBlank(id) && backends.findIndex((backend) => backend.id === id) < index
      ? [problem(`backends[${index}].id`, `duplicate backend id: ${id}`)]
      : []),
  ])
}

function checkAggregation(aggregation: AggregationConfig): readonly ConfigProblem[] {
  const { conflictResolution, tools = [] } = aggregation
  return [
    ...checkStrategy(conflictResolution),
    ...checkPriorityOrder(aggregation),
    ...oneOf('aggregation.defaultToolVisibility', aggregation.defaultToolVisibility, ['allow', 'deny']),
    ...oneOf('aggregation.invalidSchemas', aggregation.invalidSchemas, ['drop', 'repair', 'pass']),
    ...tools.flatMap(({ workload }, index) => [
      ...(isBlank(workload) ? [problem(`aggregation.tools[${index}].workload`, 'is required')] : []),
      ...(!isBlank(workload) && tools.findIndex((other) => other.workload === workload) < index
        ? [problem(`aggregation.tools[${index}].workload`, `duplicate workload: ${workload}`)]
        : []),
    ]),
  ]
}

function checkStrategy(resolution: AggregationConfig['conflictResolution']): readonly ConfigProblem[] {
  if (resolution === undefined) return []
  const path = 'aggregation.conflictResolution'
  const { strategy } = resolution
  if (!['prefix', 'priority', 'manual'].includes(strategy)) {
    return [problem(`${path}.strategy`, `invalid conflict resolution strategy: ${String(strategy)}`)]
  }
  if (resolution.strategy === 'priority' && !(resolution.priorityOrder?.length > 0)) {
    return [problem(`${path}.priorityOrder`, 'the priority strategy needs at least one backend id')]
  }
  return []
}

/** An order that names a backend twice says nothing; a hidden backend must not win a name. */
function checkPriorityOrder({
  conflictResolution,
  defaultToolVisibility,
  tools = [],
}: AggregationConfig): readonly ConfigProblem[] {
  if (conflictResolution?.strategy !== 'priority') return []
  const order = conflictResolution.priorityOrder ?? []
  return order.flatMap((id, index) => {
    const path = `aggregation.conflictResolution.priorityOrder[${index}]`
    if (order.indexOf(id) < index) return [problem(path, `"${id}" is listed twice`)]
    if (defaultToolVisibility !== 'deny' || tools.some(({ workload }) => workload === id)) return []
    const message = `defaultToolVisibility deny with priority strategy: priorityOrder entry "${id}" has no tools entry`
    return [problem(path, message)]
  })
}

function checkWorkflows(workflows: readonly Workflow[]): readonly ConfigProblem[] {
  return workflows.flatMap((workflow, index) => [
    ...validateWorkflow(workflow).map((found) => ({ ...found, path: join(`compositeTools[${index}]`, found.path) })),
    ...(workflows.findIndex(({ name }) => name === workflow.name) < index
      ? [problem(`compositeTools[${index}].name`, `duplicate composite tool name: ${workflow.name}`)]
      : []),
  ])
}

function checkAuthorization({ type, policies }: AuthorizationConfig): readonly ConfigProblem[] {
  const known = oneOf('authorization.type', type, ['cedar'])
  if (known.length > 0 || (Array.isArray(policies) && policies.length > 0)) return known
  return [problem('authorization.policies', 'at least one policy is required')]
}

function oneOf(path: string, value: string | undefined, allowed: readonly string[]): readonly ConfigProblem[] {
  if (value === undefined || allowed.includes(value)) return []
  return [problem(path, `expected one of ${allowed.join(', ')}, got "${value}"`)]
}

function problem(path: string, message: string): ConfigProblem {
  return { path, message }
}

function isBlank(text: string | undefined): boolean {
  return typeof text !== 'string' || text.trim() === ''
}

function join(parent: string, path: string): string {
  if (path === '') return parent
  return path.startsWith('[') ? `${parent}${path}` : `${parent}.${path}`
}
