import { spawnSync } from 'node:child_process'
import { innerEnvironment } from '../npm.mjs'
import { say } from './say.mjs'

/** Runs a command with its output on stderr; ends the process when it fails. */
export function run(directory, command, args) {
  const result = spawnSync(command, args, { cwd: directory, env: innerEnvironment(), stdio: ['ignore', 2, 2] })
  if (result.status === 0) return
  say(`failed: ${[command, ...args].join(' ')}`)
  process.exit(result.status ?? 1)
}
