import { Secret, type ConfigProblem } from '@vmcp/domain'
import type { Environment, SuspensionSettings } from './gateway-config.js'
import type { ReadFile } from './read-file.js'
import type { ConfigFile } from './schema.js'

/** The keys that seal waiting composite tools, and what is wrong with them. */
export interface Suspension {
  readonly settings: SuspensionSettings | undefined
  readonly problems: readonly ConfigProblem[]
}

const leastBytes = 32

/** Reads the `suspension` section of a file. Its secrets come from `environment`. */
export function readSuspension(file: ReadFile, config: ConfigFile, environment: Environment): Suspension {
  const { suspension } = config
  if (suspension === undefined) return { settings: undefined, problems: [] }
  const problems = suspension.keys.flatMap(({ id, secretEnv }, index) => {
    const path = ['suspension', 'keys', index]
    return [
      ...(suspension.keys.findIndex((key) => key.id === id) < index
        ? [file.problem([...path, 'id'], `duplicate key id "${id}"`)]
        : []),
      ...secretProblems(environment[secretEnv], secretEnv).map((text) => file.problem([...path, 'secretEnv'], text)),
    ]
  })
  const keys = suspension.keys.map(({ id, secretEnv }) => ({ id, secret: new Secret(environment[secretEnv] ?? '') }))
  const settings = suspension.ttl === undefined ? { keys } : { keys, ttlMs: suspension.ttl }
  return { settings, problems }
}

function secretProblems(secret: string | undefined, variable: string): readonly string[] {
  if (secret === undefined || secret === '') return [`environment variable ${variable} not set or empty`]
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(secret)
  if (isBase64 && Buffer.from(secret, 'base64').length >= leastBytes) return []
  return [`environment variable ${variable} must hold at least ${leastBytes} bytes in Base64`]
}
