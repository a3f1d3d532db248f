import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { runCommand } from '../run-command.mjs'

/** What is wrong with a packed package's contents: private parts shipped, or parts that are promised and missing. */
export function contentProblems({ staged, paths }) {
  const manifest = readFileSync(join(staged, 'package.json'), 'utf8')
  const shipped = new Set(paths)
  return [
    ...['"./testing"', '@vmcp/source', 'devDependencies']
      .filter((text) => manifest.includes(text))
      .map((text) => `its manifest has ${text}`),
    ...['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']
      .filter((path) => !shipped.has(path))
      .map((path) => `${path} is missing`),
    ...paths
      .filter((path) => /\.test\.|(^|\/)(testing|test-support)\/|tsbuildinfo/.test(path))
      .map((path) => `ships ${path}`),
    ...paths.filter((path) => path.endsWith('.map')).flatMap((path) => mapProblems(staged, path, shipped)),
  ]
}

function mapProblems(staged, path, shipped) {
  const { sources, sourceRoot = '' } = JSON.parse(readFileSync(join(staged, path), 'utf8'))
  const places = sources.map((source) => posix.join(posix.dirname(path), sourceRoot, source))
  return places
    .filter((place) => !shipped.has(place))
    .map((place) => `${path} points to ${place}, which is not shipped`)
}

/** What publint says of a tarball, in its own words. */
export async function publintProblems({ tarball }) {
  const file = readFileSync(tarball)
  const archive = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
  const { messages, pkg } = await publint({
    level: 'warning',
    strict: true,
    pack: { tarball: archive },
  })
  return messages.map((message) => formatMessage(message, pkg, { color: false }))
}

/** What "are the types wrong" says of a tarball: the packages are ESM only, for Node and bundlers. */
export async function typesProblems({ tarball }) {
  const command = [process.execPath, 'node_modules/@arethetypeswrong/cli/dist/index.js']
  const args = [
    tarball,
    '--profile',
    'esm-only',
    '--format',
    'ascii',
    '--no-color',
    '--no-emoji',
    '--no-definitely-typed',
  ]
  const { status, output } = await runCommand('.', [...command, ...args])
  return status === 0 ? [] : [output]
}
