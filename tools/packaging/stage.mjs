import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Copies a built package to `target` as it is published: without its private door, its tests and its source condition. */
export function stagePackage(folder, target) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const parts = ['README.md', ...manifest.files.filter((name) => !name.startsWith('!'))]
  for (const part of parts.filter((name) => existsSync(join(folder, name)))) {
    cpSync(join(folder, part), join(target, part), { recursive: true })
  }
  cpSync('LICENSE', join(target, 'LICENSE'))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

/** The manifest that users see. Source maps point into `src`, so it is shipped too; tests are left out by `files`. */
export function publishedManifest({ devDependencies: _development, publishConfig, exports, ...manifest }) {
  const { directory: _directory, ...published } = publishConfig
  const doors = Object.entries(exports).filter(([door]) => door !== './testing')
  return { ...manifest, exports: Object.fromEntries(doors.map(publishedDoor)), publishConfig: published }
}

function publishedDoor([door, target]) {
  if (typeof target === 'string') return [door, target]
  const { '@vmcp/source': _source, ...conditions } = target
  return [door, conditions]
}
