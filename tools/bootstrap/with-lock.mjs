import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './say.mjs'

const patience = 15 * 60_000

/** Runs `body` while no other set-up of this checkout runs: `npm start` and `npm test` may begin at the same time. */
export async function withLock(root, body) {
  const folder = join(root, '.setup-lock')
  await take(folder)
  const release = () => rmSync(folder, { recursive: true, force: true })
  const stop = () => process.exit(1)
  process.once('exit', release)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await body()
  } finally {
    process.off('exit', release).off('SIGINT', stop).off('SIGTERM', stop)
    release()
  }
}

async function take(folder) {
  for (const deadline = Date.now() + patience; ; await sleep(300)) {
    try {
      return mkdirSync(folder)
    } catch {
      if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true })
      else if (Date.now() > deadline) {
        say(`another set-up holds ${folder}`)
        process.exit(1)
      }
    }
  }
}

function isAbandoned(folder) {
  const taken = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
  return taken !== undefined && Date.now() - taken > patience
}
