import { loadConfig } from '../config/load.js'
import { problemText } from './problem-text.js'
import type { Terminal } from './terminal.js'

/** `vmcp validate`: checks a configuration without starting anything. Rejects with `InvalidConfig`. */
export async function validateCommand(options: { readonly config: string }, terminal: Terminal): Promise<void> {
  const config = await loadConfig(options.config, terminal.environment)
  for (const warning of config.warnings) terminal.error(`warning: ${problemText(warning)}`)
  const { aggregation, authorization } = config.core
  terminal.out(
    [
      `${config.file} is valid`,
      `  name             ${config.name}`,
      ...(config.group === undefined ? [] : [`  group            ${config.group}`]),
      `  incoming         ${config.incoming}${authorization === undefined ? '' : `, ${authorization.type}`}`,
      `  backends         ${config.backends.map(({ id, transport }) => `${id} (${transport})`).join(', ') || 'none'}`,
      `  conflicts        ${aggregation?.conflictResolution?.strategy ?? 'prefix'}`,
      `  composite tools  ${config.compositeTools.map(({ name }) => name).join(', ') || 'none'}`,
    ].join('\n'),
  )
}
