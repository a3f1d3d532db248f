import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
let folder = ''

beforeAll(async () => {
  // inside the package, so that node finds what the bundle leaves out
  const reports = join(packageFolder, '.reports')
  await mkdir(reports, { recursive: true })
  folder = await mkdtemp(join(reports, 'two-processes-'))
  await run(
    'npx',
    ['--no-install', 'vite', 'build', '--config', 'test/suspended-process.config.mjs', '--outDir', folder],
    {
      cwd: packageFolder,
    },
  )
}, 60_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Part {
  readonly calls: readonly unknown[]
  readonly outcome: { readonly requestState?: string; readonly status?: string }
}

async function runPart(
  mode: 'ask' | 'resume',
  input: { readonly key: string; readonly requestState?: string },
): Promise<Part> {
  const script = join(folder, 'suspended-process.js')
  const { stdout } = await run(process.execPath, [script, mode, JSON.stringify(input)])
  return JSON.parse(stdout) as Part
}

describe('a run that waits for an answer', () => {
  it('outlives its process: another one with the same key completes it', async () => {
    const key = randomBytes(32).toString('base64')

    const first = await runPart('ask', { key })
    const { requestState = '' } = first.outcome
    const second = await runPart('resume', { key, requestState })

    expect(first.calls).toEqual([['build', null]])
    expect(second.calls).toEqual([['deploy', { build: 7 }]])
    expect(second.outcome.status).toBe('completed')
  }, 60_000)
})
