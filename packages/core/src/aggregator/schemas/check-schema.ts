import { createHash } from 'node:crypto'

import { isJsonObject } from '@vmcp/domain'
import type { JsonSchema } from '@vmcp/domain'

import { LruMap } from '../lru-map.js'
import { boundedJson } from './json-bounds.js'
import { findGrammarProblem } from './meta-schema.js'
import { findHeaderProblem } from './parameter-headers.js'
import { findDanglingReference } from './references.js'

/** Which schema of a tool. */
export type SchemaRole = 'inputSchema' | 'outputSchema'

/** What is wrong with a schema. Absent means nothing is. */
export interface SchemaVerdict {
  /** The schema itself cannot be used. */
  readonly problem?: string
  /** Its `x-mcp-header` annotations cannot. */
  readonly headerProblem?: string
}

const byIdentity = {
  inputSchema: new WeakMap<object, SchemaVerdict>(),
  outputSchema: new WeakMap<object, SchemaVerdict>(),
}
const byText = new LruMap<string, SchemaVerdict>(8192)

/**
 * Whether clients can use a schema. Each schema is judged once: it is known again as the same object and, when a backend
 * lists it anew, by the hash of its text.
 */
export function checkSchema(role: SchemaRole, schema: unknown): SchemaVerdict {
  if (!isJsonObject(schema)) return { problem: 'is not an object' }
  const known = byIdentity[role].get(schema)
  if (known !== undefined) return known
  const verdict = judgeSafely(role, schema)
  byIdentity[role].set(schema, verdict)
  return verdict
}

/** A schema that a client made up in memory may hold what is no JSON, or throw when it is read. */
function judgeSafely(role: SchemaRole, schema: JsonSchema): SchemaVerdict {
  try {
    const json = boundedJson(schema)
    return 'problem' in json ? json : judgeOnce(role, schema, json.text)
  } catch {
    return { problem: 'is not JSON' }
  }
}

function judgeOnce(role: SchemaRole, schema: JsonSchema, text: string): SchemaVerdict {
  const key = createHash('sha256').update(role).update(text).digest('base64')
  const known = byText.get(key)
  if (known !== undefined) return known
  const verdict = judge(role, schema)
  byText.set(key, verdict)
  return verdict
}

function judge(role: SchemaRole, schema: JsonSchema): SchemaVerdict {
  if (role === 'inputSchema' && schema['type'] !== undefined && schema['type'] !== 'object') {
    return { problem: 'does not describe an object' }
  }
  const problem = findGrammarProblem(schema)
  if (problem !== undefined) return { problem }
  const dangling = findDanglingReference(schema)
  if (dangling !== undefined) return { problem: `refers to "${dangling.slice(0, 128)}", which is not in it` }
  const headerProblem = role === 'inputSchema' ? findHeaderProblem(schema) : undefined
  return headerProblem === undefined ? {} : { headerProblem }
}
