import { spawn } from 'node:child_process'
import { innerEnvironment } from './npm.mjs'

/** Runs a command to its end: `{ status, output }`, with stdout and stderr in one text, and stdout alone as well. */
export function runCommand(cwd, [command, ...args], timeout = 120_000) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: innerEnvironment(), timeout, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text) => ((stdout += text), (output += text)))
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output, stdout }))
  })
}
