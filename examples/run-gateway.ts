import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../packages/gateway/dist/main.js', import.meta.url))

/** A `vmcp serve` of its own, for one story. */
export interface RunningGateway {
  readonly url: string
  /** Ends it as Ctrl-C does, and waits until it is gone. */
  stop(): Promise<void>
}

/** Starts the built gateway on a free port. Resolves once it has reported what it serves. */
export async function runGateway(config: URL): Promise<RunningGateway> {
  const args = [main, 'serve', '--config', fileURLToPath(config), '--port', '0']
  const gateway = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => gateway.once('close', () => resolve()))
  let problems = ''
  gateway.stderr.setEncoding('utf8').on('data', (text: string) => (problems += text))
  const url = await new Promise<string>((resolve, reject) => {
    let report = ''
    gateway.stdout.setEncoding('utf8').on('data', (text: string) => {
      report += text
      const served = /Serving (\S+)/.exec(report)?.[1]
      if (served !== undefined && report.includes('Ctrl-C')) resolve(served)
    })
    void ended.then(() => reject(new Error(`the gateway ended before it served:\n${problems}`)))
  })
  return {
    url,
    stop: async () => {
      gateway.kill('SIGINT')
      await ended
    },
  }
}
