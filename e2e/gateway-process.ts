import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../packages/gateway/dist/main.js', import.meta.url))

/** A `vmcp serve` that runs. */
export interface GatewayProcess {
  readonly url: string
  readonly pid: number
  /** What it wrote to standard output so far. */
  output(): string
  /** What it wrote to standard error so far. */
  errors(): string
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A command that ended. */
export interface EndedProcess {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Starts the built `vmcp serve` on a free port; resolves once it has reported what it serves. */
export async function startGateway(
  config: string | object,
  environment: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const file = typeof config === 'string' ? config : await writeConfig(config)
  const process = run(['serve', '--config', file, '--port', '0'], environment)
  const url = await new Promise<string>((resolve, reject) => {
    process.child.stdout?.on('data', () => {
      const found = /Serving (\S+)/.exec(process.output())?.[1]
      if (found !== undefined && process.output().includes('Ctrl-C')) resolve(found)
    })
    process.ended.then(({ code, errors }) => reject(new Error(`the gateway ended with ${code}: ${errors}`)), reject)
  })
  return {
    url,
    pid: process.child.pid ?? 0,
    output: process.output,
    errors: process.errors,
    stop: async (signal = 'SIGTERM') => {
      process.child.kill(signal)
      return (await process.ended).code
    },
  }
}

/** Runs the built `vmcp` to its end. */
export async function runVmcp(args: readonly string[]): Promise<EndedProcess> {
  return run(args).ended
}

/** Writes a configuration to a new folder. */
export async function writeConfig(config: string | object): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'vmcp-e2e-')), 'vmcp.yaml')
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config))
  return file
}

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<EndedProcess>
  readonly output: () => string
  readonly errors: () => string
}

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = new Promise<EndedProcess>((resolve) => {
    child.once('close', (code) => resolve({ code, output, errors }))
  })
  return { child, ended, output: () => output, errors: () => errors }
}
