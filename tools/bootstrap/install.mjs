import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from '../npm.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'
import { withLock } from './with-lock.mjs'

/** Runs `npm ci` unless node_modules already holds what the manifests and the lockfile name, for this Node. */
export async function installIfStale(root) {
  const wanted = fingerprint(root)
  if (installed(root) === wanted) return
  await withLock(root, () => {
    if (installed(root) === wanted) return
    const start = Date.now()
    say('installing packages (npm ci), this takes about half a minute the first time ...')
    const [command, ...args] = npmCommand()
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel=error']
    run(root, command, [...args, 'ci', ...quiet])
    writeFileSync(stampFile(root), wanted)
    say(`installed in ${Math.round((Date.now() - start) / 1000)} s`)
  })
}

function fingerprint(root) {
  const hash = createHash('sha256').update(`${process.versions.modules} ${process.platform} ${process.arch}`)
  for (const file of manifests(root)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function manifests(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'package.json'))
  const files = ['package.json', 'package-lock.json', 'examples/package.json', 'e2e/package.json', ...packages]
  return files.filter((file) => existsSync(join(root, file))).sort()
}

function installed(root) {
  return existsSync(stampFile(root)) ? readFileSync(stampFile(root), 'utf8') : undefined
}

function stampFile(root) {
  return join(root, 'node_modules', '.vmcp-install')
}
