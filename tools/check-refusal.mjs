// Plants a real file with an SDK import in packages/core/src and expects `nx build core` to fail because of it.
// Works in a copy of the workspace: the checkout is never touched, whatever interrupts this.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { report } from './report.mjs'
import { runCommand } from './run-command.mjs'

const planted = 'packages/core/src/planted.ts'
const copied = [
  'package.json',
  'package-lock.json',
  'nx.json',
  'tsconfig.base.json',
  '.eslintrc.json',
  'eslint.config.mjs',
  'tools',
  'packages',
]
const leftOut = new Set(['node_modules', 'dist', '.publish', '.reports'])

const workspace = mkdtempSync(join(tmpdir(), 'vmcp-refusal-'))
process.once('exit', () => rmSync(workspace, { recursive: true, force: true }))
copyWorkspace()
writeFileSync(join(workspace, planted), `export { Client } from '@modelcontextprotocol/client'\n`)
const { status, output } = await runCommand(workspace, [
  process.execPath,
  'node_modules/nx/dist/bin/nx.js',
  'build',
  'core',
  '--output-style=static',
])

report('refusal', [
  ['nx build core fails', status === 0 ? ['it succeeded'] : []],
  ['it fails in lint, for the planted import', explains(output) ? [] : [output]],
  ['core is not built', readdirSync(join(workspace, 'packages/core')).includes('dist') ? ['dist was written'] : []],
])

function copyWorkspace() {
  for (const name of copied) {
    cpSync(name, join(workspace, name), { recursive: true, filter: (source) => !leftOut.has(basename(source)) })
  }
  linkModules('node_modules')
  for (const name of readdirSync('packages')) linkModules(join('packages', name, 'node_modules'))
}

/** Links each installed package, except our own: those are the copies. */
function linkModules(folder) {
  mkdirSync(join(workspace, folder), { recursive: true })
  for (const name of list(folder).filter((name) => name === '.bin' || !/^(@vmcp|\..*)$/.test(name))) {
    symlinkSync(resolve(folder, name), join(workspace, folder, name))
  }
  for (const name of list(join(folder, '@vmcp')).filter((name) => list(join('packages', name)).length > 0)) {
    mkdirSync(join(workspace, folder, '@vmcp'), { recursive: true })
    symlinkSync(join(workspace, 'packages', name), join(workspace, folder, '@vmcp', name))
  }
}

function list(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** True when lint names the planted file and says why. */
function explains(text) {
  const [, complaints = ''] = text.split(planted)
  return complaints.split('\n').slice(0, 3).join('').includes('Only packages/sdk-adapter may name the MCP SDK')
}
