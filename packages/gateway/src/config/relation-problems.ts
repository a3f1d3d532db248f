import { isJsonObject, type ConfigProblem, type JsonObject } from '@vmcp/domain'
import { passthroughHeaderProblems } from '@vmcp/serve'
import { parseDuration } from './duration.js'
import { parsePath, type Path } from './locate.js'
import type { ReadFile } from './read-file.js'

/**
 * What is wrong between fields. It looks at the data as it was read, so that these problems are told together with
 * those of shape.
 */
export function relationProblems(file: ReadFile): readonly ConfigProblem[] {
  const data = object(file.data)
  return [
    ...repeats(file, ['backends'], list(data['backends']), 'name', 'backend'),
    ...repeats(file, ['compositeTools'], list(data['compositeTools']), 'name', 'composite tool'),
    ...aggregationProblems(file, object(data['aggregation'])),
    ...authorizationProblems(file, object(object(data['incomingAuth'])['authz'])),
    ...healthProblems(file, object(data['operational'])),
    ...headerProblems(file, list(data['passthroughHeaders'])),
  ]
}

function repeats(file: ReadFile, path: Path, items: readonly unknown[], key: string, what: string): ConfigProblem[] {
  const names = items.map((item) => object(item)[key])
  return names.flatMap((name, index) => {
    const first = names.indexOf(name)
    if (typeof name !== 'string' || first === index) return []
    return [file.problem([...path, index, key], `duplicate ${what} name "${name}": already used by entry ${first}`)]
  })
}

function aggregationProblems(file: ReadFile, aggregation: JsonObject): readonly ConfigProblem[] {
  const strategy = aggregation['conflictResolution']
  const config = object(aggregation['conflictResolutionConfig'])
  const order = list(config['priorityOrder'])
  const tools = list(aggregation['tools'])
  const workloads = tools.map((entry) => object(entry)['workload'])
  const at = (...path: Path): Path => ['aggregation', ...path]
  const problems = repeats(file, at('tools'), tools, 'workload', 'workload')
  if (strategy === 'priority' && order.length === 0) {
    problems.push(
      file.problem(at('conflictResolutionConfig', 'priorityOrder'), 'priorityOrder is required for priority strategy'),
    )
  }
  if (strategy === 'manual' && tools.length === 0) {
    problems.push(file.problem(at('tools'), 'tool overrides are required for manual strategy'))
  }
  for (const [index, name] of order.entries()) {
    const path = at('conflictResolutionConfig', 'priorityOrder', index)
    if (order.indexOf(name) !== index) problems.push(file.problem(path, `"${String(name)}" is listed twice`))
    if (strategy === 'priority' && aggregation['defaultToolVisibility'] === 'deny' && !workloads.includes(name)) {
      problems.push(
        file.problem(
          path,
          `defaultToolVisibility deny with priority strategy: priorityOrder entry "${String(name)}" has no tools entry`,
        ),
      )
    }
  }
  for (const [index, entry] of tools.entries()) {
    for (const [tool, override] of Object.entries(object(object(entry)['overrides']))) {
      const changes = object(override)
      if (['name', 'description', 'annotations'].some((key) => key in changes && changes[key] !== '')) continue
      problems.push(
        file.problem(
          at('tools', index, 'overrides', tool),
          'at least one of name, description or annotations must be specified',
        ),
      )
    }
  }
  return problems
}

function authorizationProblems(file: ReadFile, authz: JsonObject): readonly ConfigProblem[] {
  if (authz['type'] !== 'cedar' || list(authz['policies']).length > 0) return []
  return [file.problem(['incomingAuth', 'authz', 'policies'], "policies are required when type is 'cedar'")]
}

function healthProblems(file: ReadFile, operational: JsonObject): readonly ConfigProblem[] {
  const failureHandling = object(operational['failureHandling'])
  const timeout = milliseconds(failureHandling['healthCheckTimeout'])
  const interval = milliseconds(failureHandling['healthCheckInterval'] ?? '30s')
  if (timeout === undefined || interval === undefined || timeout < interval) return []
  return [
    file.problem(
      ['operational', 'failureHandling', 'healthCheckTimeout'],
      `healthCheckTimeout (${String(failureHandling['healthCheckTimeout'])}) must be less than healthCheckInterval ` +
        `(${String(failureHandling['healthCheckInterval'] ?? '30s')}) to prevent checks from queuing up`,
    ),
  ]
}

function headerProblems(file: ReadFile, names: readonly unknown[]): readonly ConfigProblem[] {
  if (!names.every((name) => typeof name === 'string')) return []
  return passthroughHeaderProblems(names).map(({ path, message }) => file.problem(parsePath(path), message))
}

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDuration(value) : undefined
}

function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
