import {
  AuthorizationDenied,
  isInputRequired,
  NotFound,
  type CallToolResult,
  type Identity,
  type VmcpAdmin,
} from '@vmcp/domain'
import { loadConfig } from '../../config/load.js'
import { createGatewayCore } from '../../gateway.js'
import { createLogger, type LogLevel } from '../../logger.js'
import type { Terminal } from '../terminal.js'
import { readArguments, type ArgumentOptions } from './arguments.js'
import { describeCaller, findCaller, type CallerOptions } from './caller.js'
import { findWorkflow } from './find-workflow.js'
import type { WorkflowTarget } from './plan-command.js'
import { describeEvent, describeNotification } from './run-progress.js'
import { terminalChannel } from './terminal-channel.js'
import { takeTurns } from './turns.js'

/** The options of `vmcp workflow run`. */
export interface RunOptions extends ArgumentOptions, CallerOptions {
  readonly logLevel?: LogLevel
}

/**
 * `vmcp workflow run`: calls a composite tool as a client of the gateway would, and prints the result as JSON.
 * Resolves with the exit code, which is 1 for a result with `isError`; Ctrl-C cancels the call.
 */
export async function runCommand(target: WorkflowTarget, options: RunOptions, terminal: Terminal): Promise<0 | 1> {
  const config = await loadConfig(target.file, terminal.environment)
  const workflow = findWorkflow(config, target.name)
  const identity = await findCaller(config, options)
  const request = { name: workflow.name, arguments: readArguments(options, workflow.parameters) }
  const stopped = new AbortController()
  void terminal.untilStopped().then(() => stopped.abort())
  const turns = takeTurns(terminal)
  const tell = (line: string | undefined) => line !== undefined && turns.tell(line)
  const client = terminalChannel(terminal, turns, (notification) => tell(describeNotification(notification, workflow)))
  const vmcp = createGatewayCore(config, {
    logger: createLogger(options.logLevel ?? 'silent'),
    workflowObserver: { observe: (event) => tell(describeEvent(event)) },
  })
  try {
    terminal.error(`  running ${workflow.name} for ${describeCaller(identity)} …`)
    const result = await vmcp.callTool(identity, request, { signal: stopped.signal, client })
    if (!isInputRequired(result)) return printResult(result, terminal)
    terminal.error('it asks for something that cannot be answered here')
    return 1
  } catch (error) {
    if (!(error instanceof NotFound) && !(error instanceof AuthorizationDenied)) throw error
    terminal.error(error.message)
    terminal.error(await explain(vmcp, identity, workflow.name))
    return 1
  } finally {
    await vmcp.close()
  }
}

function printResult(result: CallToolResult, terminal: Terminal): 0 | 1 {
  terminal.out(JSON.stringify(result, undefined, 2))
  return result.isError === true ? 1 : 0
}

async function explain(admin: VmcpAdmin, identity: Identity | null, name: string): Promise<string> {
  return (await admin.explain(identity, { kind: 'tool', name })).text
}
