import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of the packages that are published, as packages/<name>. */
export function publishablePackages() {
  return readdirSync('packages')
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .filter((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).private !== true)
}
