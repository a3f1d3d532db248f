import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { InvalidConfig, isVmcpError } from '@vmcp/domain'
import { configJsonSchema } from '../config/json-schema.js'
import { version } from '../version.js'
import { problemText } from './problem-text.js'
import { serveCommand, type ServeOptions } from './serve-command.js'
import type { Terminal } from './terminal.js'
import { validateCommand } from './validate-command.js'
import { addWorkflowCommands } from './workflow/add-workflow-commands.js'

/** Runs the `vmcp` command with these arguments; resolves with the exit code: 0 done, 1 failed, 2 misused. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0
  try {
    await createProgram(terminal, (ended) => (code = ended)).parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    terminal.error(error instanceof InvalidConfig ? describeInvalidConfig(error) : describe(error))
    return 1
  }
}

function createProgram(terminal: Terminal, exit: (code: number) => void): Command {
  const program = new Command('vmcp')
    .description('One MCP endpoint in front of many MCP servers.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.error(text.trimEnd()),
    })
  program
    .command('serve')
    .description('serve a configuration until Ctrl-C')
    .requiredOption('-c, --config <file>', 'the configuration, YAML or JSON')
    .option('--host <address>', 'address to listen on', parseHost, '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 lets the system choose', parsePort, 4483)
    .addOption(
      new Option('--log-level <level>', 'how much to log to standard error').choices([
        'debug',
        'info',
        'warn',
        'error',
        'silent',
      ]),
    )
    .action((options: ServeOptions) => serveCommand(options, terminal))
  program
    .command('validate')
    .description('check a configuration without starting anything')
    .requiredOption('-c, --config <file>', 'the configuration, YAML or JSON')
    .action((options: { readonly config: string }) => validateCommand(options, terminal))
  addWorkflowCommands(program, terminal, exit)
  program
    .command('schema')
    .description('print the JSON Schema of the configuration file')
    .action(() => terminal.out(JSON.stringify(configJsonSchema(), undefined, 2)))
  program
    .command('version')
    .description('print the version')
    .action(() => terminal.out(version))
  return program
}

function parseHost(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('Expected an address or a host name; 0.0.0.0 listens on every address.')
}

function parsePort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('Expected a port from 0 to 65535.')
}

function describeInvalidConfig({ problems }: InvalidConfig): string {
  return problems.map(problemText).join('\n')
}

function describe(error: unknown): string {
  if (isVmcpError(error)) return isVmcpError(error.cause) ? `${error.message}: ${error.cause.message}` : error.message
  return error instanceof Error ? `internal error: ${error.stack ?? error.message}` : 'internal error'
}
