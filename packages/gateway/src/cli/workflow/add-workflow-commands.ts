import { isJsonObject, type JsonObject } from '@vmcp/domain'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Terminal } from '../terminal.js'
import type { NamedText } from './arguments.js'
import { planCommand, type PlanOptions } from './plan-command.js'
import { runCommand, type RunOptions } from './run-command.js'

/** Adds `vmcp workflow plan` and `vmcp workflow run`. A run that ends badly tells its exit code to `exit`. */
export function addWorkflowCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const workflow = program.command('workflow').description('plan or run a composite tool of a configuration')
  addCaller(
    workflow
      .command('plan')
      .description('show what a composite tool will do, as text and as a Mermaid diagram')
      .argument('<file>', 'the configuration, YAML or JSON')
      .argument('<name>', 'the composite tool')
      .addOption(new Option('--format <format>', 'print one form only').choices(['text', 'mermaid', 'json']))
      .option('--offline', 'do not ask the backends which tools they have'),
  ).action((file: string, name: string, options: PlanOptions) => planCommand({ file, name }, options, terminal))
  addCaller(
    workflow
      .command('run')
      .description('run a composite tool against the configured backends')
      .argument('<file>', 'the configuration, YAML or JSON')
      .argument('<name>', 'the composite tool')
      .option('--argument <key=value>', 'one argument; may be repeated', addNamed)
      .option('--arguments <json>', 'all arguments, as a JSON object', parseObject)
      .addOption(
        new Option('--log-level <level>', 'how much to log to standard error').choices([
          'debug',
          'info',
          'warn',
          'error',
          'silent',
        ]),
      ),
  ).action(async (file: string, name: string, options: RunOptions) =>
    exit(await runCommand({ file, name }, options, terminal)),
  )
}

function addCaller(command: Command): Command {
  return command
    .option('--subject <subject>', 'call as this user; as the configuration takes an unknown caller when absent')
    .option('--issuer <issuer>', 'who vouches for the subject; vmcp-local when absent')
    .option('--claims <json>', 'claims of the subject, as a JSON object', parseObject)
}

function addNamed(text: string, named: readonly NamedText[] = []): readonly NamedText[] {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Expected key=value.')
  return [...named, [text.slice(0, at), text.slice(at + 1)]]
}

function parseObject(text: string): JsonObject {
  const value = fromJson(text)
  if (isJsonObject(value)) return value
  throw new InvalidArgumentError('Expected a JSON object.')
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
