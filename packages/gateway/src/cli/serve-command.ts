import { loadConfig } from '../config/load.js'
import { startGateway, type RunningGateway } from '../gateway.js'
import { createLogger, type LogLevel } from '../logger.js'
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
  const level = options.logLevel ?? config.logLevel ?? 'warn'
  // The report tells of backends that do not start; a log line for each would say it twice.
  const logger = createLogger(level === 'debug' ? level : 'silent')
  const gateway = await startGateway(config, { host: options.host, port: options.port, logger })
  const reported = reportStart(config.name, gateway, terminal).catch((error: unknown) =>
    terminal.error(`  ${failureText(error)}`),
  )
  await Promise.race([stopped, reported])
  logger.setLevel(level)
  await stopped
  terminal.error('  stopping …')
  await gateway.close()
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
  })
  const compositeTools = (await vmcp.listTools(null)).filter(({ backendId }) => backendId === undefined)
  terminal.out(
    reportText({ name, url: gateway.url, backends: vmcp.listAllBackends(), failures, compositeTools, report }),
  )
}
