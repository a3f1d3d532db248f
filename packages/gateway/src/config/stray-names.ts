import type { ConfigProblem } from '@vmcp/domain'
import type { Path } from './locate.js'
import type { ReadFile } from './read-file.js'
import type { ConfigFile } from './schema.js'

/**
 * Every place that names a backend which the file does not have. Such a setting has no effect; the reference accepts it,
 * so that a list of backends can change without the rest.
 */
export function strayNames(file: ReadFile, config: ConfigFile): readonly ConfigProblem[] {
  const names = new Set(config.backends.map(({ name }) => name))
  const { aggregation, outgoingAuth, operational } = config
  const values: readonly Mention[] = [
    ...(aggregation?.tools ?? []).map(({ workload }, index) =>
      mention(workload, ['aggregation', 'tools', index, 'workload']),
    ),
    ...(aggregation?.conflictResolutionConfig?.priorityOrder ?? []).map((name, index) =>
      mention(name, ['aggregation', 'conflictResolutionConfig', 'priorityOrder', index]),
    ),
  ]
  const keys: readonly Mention[] = [
    ...keysOf(outgoingAuth?.backends, ['outgoingAuth', 'backends']),
    ...keysOf(operational?.timeouts?.perWorkload, ['operational', 'timeouts', 'perWorkload']),
  ]
  const problems = (mentions: readonly Mention[], at: 'key' | 'value') =>
    mentions
      .filter(({ name }) => !names.has(name))
      .map(({ name, path }) => file.problem(path, `no backend is named "${name}"`, at))
  return [...problems(values, 'value'), ...problems(keys, 'key')]
}

interface Mention {
  readonly name: string
  readonly path: Path
}

function mention(name: string, path: Path): Mention {
  return { name, path }
}

function keysOf(section: Readonly<Record<string, unknown>> | undefined, path: Path): readonly Mention[] {
  return Object.keys(section ?? {}).map((name) => mention(name, [...path, name]))
}
