import type { JsonSchema } from '@vmcp/domain'

import { subschemasOf } from './subschemas.js'

/** The keyword that asks for an argument to be mirrored into a request header (2026-07-28). */
export const headerKeyword = 'x-mcp-header'

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u
const types = new Set(['boolean', 'integer', 'string'])
const maxDepth = 64

/**
 * What is wrong with the `x-mcp-header` annotations of an input schema: their values must be RFC 9110 tokens, unique
 * without regard to case, on properties of type string, integer or boolean. On the root they mean nothing.
 */
export function findHeaderProblem(root: JsonSchema): string | undefined {
  const seen = new Set<string>()
  const visit = (schema: JsonSchema, depth: number): string | undefined => {
    if (depth > 0 && Object.hasOwn(schema, headerKeyword)) {
      const name = schema[headerKeyword]
      if (depth > maxDepth) return `has ${headerKeyword} deeper than ${String(maxDepth)} levels`
      if (!isHeaderToken(name)) return `has an ${headerKeyword} that is no header name`
      if (seen.has(name.toLowerCase())) return `has ${headerKeyword} "${name}" twice`
      if (!types.has(schema['type'] as string)) {
        return `has ${headerKeyword} "${name}" on something other than a string, integer or boolean`
      }
      seen.add(name.toLowerCase())
    }
    for (const { schema: inner } of subschemasOf(schema)) {
      const problem = visit(inner, depth + 1)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  return visit(root, 0)
}

/** True for a text that can end a header name (RFC 9110, "token"). */
export function isHeaderToken(name: unknown): name is string {
  return typeof name === 'string' && token.test(name)
}
