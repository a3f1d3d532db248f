import { spawnSync } from 'node:child_process'
import { say } from './say.mjs'

// Settings of the outer npm (--silent, --workspace) must not reach an inner one; where to fetch from must.
const outerNpm = /^npm_(config_(?!cache|registry|userconfig|prefix|cafile)|lifecycle|package)/i

/** Runs a command with its output on stderr; ends the process when it fails. */
export function run(directory, command, args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !outerNpm.test(name)))
  const result = spawnSync(command, args, { cwd: directory, env, stdio: ['ignore', 2, 2] })
  if (result.status === 0) return
  say(`failed: ${[command, ...args].join(' ')}`)
  process.exit(result.status ?? 1)
}
