import type { ConfigProblem } from '@vmcp/domain'
import type * as z from 'zod'
import { unsupportedSections } from './schema.js'
import type { Path } from './locate.js'
import type { ReadFile } from './read-file.js'

type Issue = z.core.$ZodIssue

/** Every complaint of the schema, each at its place in the file. */
export function shapeProblems(file: ReadFile, issues: readonly Issue[]): readonly ConfigProblem[] {
  return issues.flatMap((issue): readonly ConfigProblem[] => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => file.problem([...path, key], describeUnknown(file, path, key), 'key'))
    }
    return [file.problem(path, isMissing(file.data, path) ? `is required: ${issue.message}` : issue.message)]
  })
}

/** What a key of another program's file, or of another kind of backend, has to do with ours. */
const foreignKeys: Readonly<Record<string, string>> = {
  mcpServers: 'servers stand in the list backends, each with a name',
  servers: 'servers stand in the list backends, each with a name',
  spec: 'what stands under spec.config of a VirtualMCPServer stands at the top here',
}

function describeUnknown(file: ReadFile, path: Path, key: string): string {
  const isTop = path.length === 0
  if (isTop && (unsupportedSections as readonly string[]).includes(key)) {
    return `the section "${key}" is not supported by this version`
  }
  if (path.length === 2 && path[0] === 'backends') {
    if (key === 'url') return 'a backend that is started by a command has no "url"'
    if (['command', 'args', 'env', 'cwd'].includes(key) && has(file.data, [...path, 'url'])) {
      return `a backend that is reached by url has no "${key}"`
    }
  }
  const hint = isTop && Object.hasOwn(foreignKeys, key) ? foreignKeys[key] : camelCaseHint(key)
  return `unknown key "${key}"${hint === undefined ? '' : `: ${hint}`}`
}

function camelCaseHint(key: string): string | undefined {
  return /^[a-z]+(_[a-z]+)+$/.test(key) ? 'keys are written in camelCase' : undefined
}

function has(data: unknown, path: Path): boolean {
  return !isMissing(data, path)
}

function isMissing(data: unknown, path: Path): boolean {
  let value = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return false
    if (!Object.hasOwn(value, step)) return true
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value === undefined
}
