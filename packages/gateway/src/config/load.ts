import { InvalidConfig, type OutgoingAuth } from '@vmcp/domain'
import { coreProblems } from './core-problems.js'
import { readCoreSettings } from './core-settings.js'
import { readCredentials } from './credentials.js'
import type { ConfiguredBackend, Environment, GatewayConfig } from './gateway-config.js'
import { parseConfigText, readConfigFile, type ReadFile } from './read-file.js'
import { relationProblems } from './relation-problems.js'
import { fileSchema, type ConfigFile } from './schema.js'
import { shapeProblems } from './shape-problems.js'
import { readSuspension } from './suspension.js'
import { strayNames } from './stray-names.js'
import { toTarget } from './targets.js'
import { readWorkflows } from './workflows.js'

/**
 * Loads a configuration file.
 * Rejects with `InvalidConfig`, which lists every problem with its line; nothing is started.
 */
export async function loadConfig(file: string, environment: Environment): Promise<GatewayConfig> {
  return checkConfig(await readConfigFile(file), environment)
}

/** Checks the text of a configuration file, as `loadConfig` does. Throws `InvalidConfig`. */
export function parseConfig(file: string, source: string, environment: Environment): GatewayConfig {
  return checkConfig(parseConfigText(file, source), environment)
}

function checkConfig(file: ReadFile, environment: Environment): GatewayConfig {
  const shape = fileSchema.safeParse(file.data)
  const relations = relationProblems(file)
  const told = new Set(relations.map(({ path }) => path))
  // The core finds some of the relations wrong too.
  const content = [...relations, ...coreProblems(file).filter(({ path }) => !told.has(path))]
  if (!shape.success) throw new InvalidConfig(inOrder([...shapeProblems(file, shape.error.issues), ...content]))
  const config = shape.data
  const credentials = readCredentials(file, config, environment)
  const { workflows, problems } = readWorkflows(file, config.compositeTools ?? [])
  const suspension = readSuspension(file, config, environment)
  const all = [...content, ...credentials.problems, ...problems, ...suspension.problems]
  if (all.length > 0) throw new InvalidConfig(inOrder(all))
  return {
    file: file.file,
    name: config.name,
    group: config.groupRef,
    core: readCoreSettings(config),
    backends: config.backends.map((backend) => toBackend(backend, file.file, credentials.forBackend(backend.name))),
    compositeTools: workflows,
    suspension: suspension.settings,
    incoming: config.incomingAuth?.type ?? 'anonymous',
    passthroughHeaders: config.passthroughHeaders ?? [],
    warnings: inOrder(strayNames(file, config)),
    logLevel: config.operational?.logLevel,
  }
}

function toBackend(backend: ConfigFile['backends'][number], file: string, auth: OutgoingAuth): ConfiguredBackend {
  const target = toTarget(backend, file)
  return { id: backend.name, transport: target.transport, target, auth, metadata: backend.metadata ?? {} }
}

function inOrder(problems: InvalidConfig['problems']): InvalidConfig['problems'] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}
