import { headerInjection, unauthenticated } from '@vmcp/auth'
import { InvalidConfig, type ConfigProblem, type OutgoingAuth } from '@vmcp/domain'
import type { Environment } from './gateway-config.js'
import type { Path } from './locate.js'
import type { ReadFile } from './read-file.js'
import type { ConfigFile } from './schema.js'
import type { StrategySection } from './sections/auth.js'

/** The outgoing credentials by backend name, and what is wrong with them. */
export interface Credentials {
  /** The backend's own strategy, else the default one, else none. */
  readonly forBackend: (name: string) => OutgoingAuth
  readonly problems: readonly ConfigProblem[]
}

/** Makes the outgoing strategies of a file. Values named by `…Env` fields come from `environment`. */
export function readCredentials(file: ReadFile, config: ConfigFile, environment: Environment): Credentials {
  const problems: ConfigProblem[] = []
  const make = (strategy: StrategySection | undefined, path: Path): OutgoingAuth | undefined => {
    if (strategy === undefined) return undefined
    if (strategy.type === 'unauthenticated') return unauthenticated()
    const made = makeHeaderInjection(strategy, environment)
    if (typeof made !== 'string') return made
    problems.push(file.problem([...path, 'headerInjection'], made))
    return undefined
  }
  const byBackend = new Map(
    Object.entries(config.outgoingAuth?.backends ?? {}).map(([name, strategy]) => [
      name,
      make(strategy, ['outgoingAuth', 'backends', name]),
    ]),
  )
  const fallback = make(config.outgoingAuth?.default, ['outgoingAuth', 'default'])
  return { forBackend: (name) => byBackend.get(name) ?? fallback ?? unauthenticated(), problems }
}

function makeHeaderInjection(strategy: StrategySection, environment: Environment): OutgoingAuth | string {
  const { headerInjection: settings } = strategy
  if (settings === undefined) return 'headerInjection configuration is required'
  const { headerName, headerValue, headerValueEnv } = settings
  if (headerValue !== undefined && headerValueEnv !== undefined) {
    return 'only one of headerValue or headerValueEnv must be set'
  }
  if (headerValue === undefined && headerValueEnv === undefined) {
    return 'either headerValue or headerValueEnv must be set'
  }
  const value = headerValue ?? environment[headerValueEnv ?? '']
  if (value === undefined || value === '') return `environment variable ${headerValueEnv} not set or empty`
  try {
    return headerInjection({ headerName, headerValue: value })
  } catch (error) {
    if (error instanceof InvalidConfig) return error.problems.map(({ message }) => message).join('; ')
    throw error
  }
}
