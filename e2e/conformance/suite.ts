import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = process.env['CONFORMANCE_PROGRAM'] ?? join(root, 'node_modules', '.bin', 'conformance')
const loader = new URL('node20-loader.mjs', import.meta.url).href
const flags = 'globSync' in fs ? [] : ['--no-warnings', '--experimental-loader', loader]

/** What one run of the official suite told. */
export interface SuiteRun {
  /** 0 when every scored scenario passed, or failed as the expected-failures file says and no better. */
  readonly code: number | null
  /** How many scenarios ran, scored or not. */
  readonly scenarios: number
  /** How many checks passed. */
  readonly passed: number
  /** The checks that failed or warned, as `scenario:check`, sorted. */
  readonly failed: readonly string[]
  /** All that it wrote. */
  readonly output: string
}

/** Runs the command line of the official suite. */
export async function runSuite(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<SuiteRun> {
  const folder = await mkdtemp(join(tmpdir(), 'vmcp-suite-'))
  try {
    const { code, output } = await run([...flags, program, ...args, '--output-dir', folder], environment)
    const checks = (await Promise.all((await readdir(folder)).map((name) => readChecks(folder, name)))).flat()
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    return {
      code,
      scenarios: new Set(checks.map(({ scenario }) => scenario)).size,
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failed: [...new Set(failed.map(({ scenario, id }) => `${scenario}:${id}`))].sort(),
      output,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Check {
  readonly scenario: string
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
}

/** Folders are named `server-<scenario>-<time>` or `<scenario>-<time>`. */
async function readChecks(folder: string, name: string): Promise<readonly Check[]> {
  const scenario = name.replace(/-\d{4}-\d\d-\d\dT.*$/, '').replace(/^server-(?=.)/, '')
  const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as readonly Omit<
    Check,
    'scenario'
  >[]
  return checks.map((check) => ({ ...check, scenario }))
}

async function run(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}
