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
      return issue.keys.map((key) => file.problem([...path, key], describeUnknown(path, key), 'key'))
    }
    return [file.problem(path, isMissing(file.data, path) ? `is required: ${issue.message}` : issue.message)]
  })
}

function describeUnknown(path: Path, key: string): string {
  const isUnsupported = path.length === 0 && (unsupportedSections as readonly string[]).includes(key)
  return isUnsupported ? `the section "${key}" is not supported by this version` : `unknown key "${key}"`
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
