import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { npmCommand } from '../npm.mjs'
import { runCommand } from '../run-command.mjs'

const embedded = /^#+[^\n]*\bembed[^\n]*\n(?:(?!#)[^\n]*\n)*?```(ts|js)\n(.*?)^```/ims
const embedderOptions = {
  strict: true,
  skipLibCheck: false,
  target: 'ES2022',
  lib: ['ES2023', 'DOM'],
  module: 'NodeNext',
}

/** Installs tarballs, and nothing else of ours, in a new empty project: the project's folder. */
export async function installAlone(packed, workplace) {
  const project = join(workplace, 'embedder')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'embedder', private: true, type: 'module' }))
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status, output } = await runCommand(project, [
    ...npmCommand(),
    'install',
    ...quiet,
    ...packed.map(({ tarball }) => tarball),
  ])
  if (status !== 0) throw new Error(`installing the tarballs alone failed:\n${output}`)
  return project
}

/** Every place in the project's node_modules, at any depth, where a package of the MCP SDK is installed. */
export function installedSdk(project) {
  const folders = readdirSync(join(project, 'node_modules'), { recursive: true, withFileTypes: true })
  return folders
    .filter((entry) => entry.name === '@modelcontextprotocol')
    .map((entry) => `installs ${join(entry.parentPath ?? entry.path, entry.name)}`)
}

/** Imports every packed package in the project, as JavaScript and as types that are checked without any ambient help. */
export async function importProblems(packed, project) {
  const names = packed.map(({ folder }) => `@vmcp/${folder.split('/').at(-1)}`)
  writeFileSync(
    join(project, 'every-door.ts'),
    names.map((name, index) => `export * as door${index} from '${name}'\n`).join(''),
  )
  writeFileSync(join(project, 'every-door.mjs'), names.map((name) => `import '${name}'\n`).join(''))
  return [...(await typeProblems(project, 'every-door.ts')), ...(await runProblems(project, 'every-door.mjs'))]
}

/** Runs the embedding example of the README in the project; one in TypeScript is type-checked first. */
export async function exampleProblems(project) {
  const example = embeddingExample()
  if (example === undefined) return ['README.md has no ts or js block under a heading that says "Embed"']
  const { language, source } = example
  writeFileSync(join(project, `example.${language}`), source)
  writeFileSync(join(project, 'example.mjs'), language === 'ts' ? withoutTypes(source) : source)
  const typed = language === 'ts' ? await typeProblems(project, 'example.ts') : []
  return [...typed, ...(await runProblems(project, 'example.mjs'))]
}

/** The first ts or js block under a heading with "Embed" in README.md, or else in core's README. */
function embeddingExample() {
  const paths = ['README.md', 'packages/core/README.md'].filter((path) => existsSync(path))
  for (const path of paths) {
    const [, language, source] = embedded.exec(readFileSync(path, 'utf8')) ?? []
    if (source !== undefined) return { language, source }
  }
  return undefined
}

function withoutTypes(source) {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true }
  return ts.transpileModule(source, { compilerOptions }).outputText
}

async function typeProblems(project, file) {
  const compilerOptions = { ...embedderOptions, noEmit: true, types: [] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const tsc = [process.execPath, resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json']
  const { status, output } = await runCommand(project, tsc)
  return status === 0 ? [] : [`${file} does not type-check:\n${output}`]
}

async function runProblems(project, file) {
  const { status, output } = await runCommand(project, [process.execPath, file], 30_000)
  return status === 0 ? [] : [`${file} does not run:\n${output}`]
}
