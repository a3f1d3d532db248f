import { loadConfig } from '../config/load.js'
import { startGateway, type RunningGateway } from '../gateway.js'
import { createLogger, type LogLevel } from '../logger.js'
import { problemText } from './problem-text.js'
import { failureText, reportText, startLine } from './report-text.js'
import type { Terminal } from './terminal.js'

/** The options of `vmcp serve`. */
export interface ServeOptions {
  readonly config: string
  readonly host: string
  readonly port: number
  readonly logLevel?: LogLevel
}

/** `vmcp serve`: serves a configuration until it is told to stop. Rejects with `InvalidConfig`. */
export async function serveCommand(options: ServeOptions, terminal: Terminal): Promise<void> {
  const stopped = terminal.untilStopped()
  const config = await loadConfig(options.config, terminal.environment)
  for (const warning of config.warnings) terminal.error(`warning: ${problemText(warning)}`)
  const level = options.logLevel ?? config.logLevel ?? 'warn'
  // The report tells of backends that do not start; a log line for each would say it twice.
  const logger = createLogger(level === 'debug' ? level : 'silent')
  const gateway = await startGateway(config, { host: options.host, port: options.port, logger })
  let isStopping = false
  // A backend that is still starting when the gateway stops has nothing to tell any more.
  const quietlyStopping: Terminal = {
    ...terminal,
    error: (line) => {
      if (!isStopping) terminal.error(line)
    },
  }
  const reported = reportStart(config.name, gateway, quietlyStopping).catch((error: unknown) => {
    tellServedAnyway(error, gateway, quietlyStopping)
  })
  await Promise.race([stopped, reported])
  logger.setLevel(level)
  await stopped
  isStopping = true
  terminal.error('  stopping …')
  await gateway.close()
}

/** Says that no backend answered, and that the gateway serves nevertheless. */
function tellServedAnyway(error: unknown, gateway: RunningGateway, terminal: Terminal): void {
  terminal.error(`  ${failureText(error)}`)
  terminal.error(`  serving ${gateway.url} all the same: backends are tried again with each request. Ctrl-C stops.`)
}

async function reportStart(name: string, gateway: RunningGateway, terminal: Terminal): Promise<void> {
  const { vmcp } = gateway
  const backends = vmcp.listAllBackends()
  const began = performance.now()
  const failures = new Map<string, string>()
  terminal.error(`  starting ${backends.length} ${backends.length === 1 ? 'backend' : 'backends'} …`)
  const report = await gateway.warmUp((start) => {
    terminal.error(startLine(start, ((performance.now() - began) / 1000).toFixed(1)))
    if (start.outcome === 'failed') failures.set(start.id, failureText(start.error))
    if (start.outcome === 'waiting') failures.set(start.id, 'no answer yet')
  })
  const compositeTools = (await vmcp.listTools(null)).filter(({ backendId }) => backendId === undefined)
  terminal.out(
    reportText({ name, url: gateway.url, backends: vmcp.listAllBackends(), failures, compositeTools, report }),
  )
}
