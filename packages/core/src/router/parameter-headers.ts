import type { JsonObject, JsonSchema, Tool } from '@vmcp/domain'
import { InvalidInput, isJsonObject } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { headerKeyword, isHeaderToken } from '../aggregator/schemas/parameter-headers.js'

/** Request headers by name. */
export type ParameterHeaders = Readonly<Record<string, string>>

const maxDepth = 64
const combinators = ['allOf', 'anyOf', 'oneOf'] as const
const plain = /^(?! )[\u0020-\u007e]*(?<! )$/u
const sentinel = /^=\?base64\?.*\?=$/u

/**
 * The `Mcp-Param-*` headers of a call (2026-07-28): a copy of each argument whose schema has `x-mcp-header`; `undefined`
 * when there are none. Absent and null arguments and those inside arrays have none. A text that is not plain ASCII, or
 * holds a control character, is copied in Base64, so that none can forge a header. Fails with `InvalidInput` when an
 * argument cannot be copied.
 */
export function parameterHeaders(
  tool: Tool,
  args: JsonObject,
): Effect.Effect<ParameterHeaders | undefined, InvalidInput> {
  if (!hasHeaders(tool.inputSchema)) return noHeaders
  return Effect.try({
    try: () => {
      const headers: Record<string, string> = {}
      collect(tool.inputSchema, args, { headers, path: '', depth: 0 })
      return Object.keys(headers).length === 0 ? undefined : headers
    },
    catch: (error) =>
      error instanceof InvalidInput ? error : new InvalidInput('arguments cannot be copied to headers'),
  })
}

const noHeaders = Effect.succeed(undefined)

interface Place {
  readonly headers: Record<string, string>
  readonly path: string
  readonly depth: number
}

function collect(schema: JsonSchema, value: unknown, place: Place): void {
  if (place.depth > maxDepth || value === undefined || value === null) return
  if (place.path !== '' && Object.hasOwn(schema, headerKeyword)) copy(schema, value, place)
  for (const keyword of combinators) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    for (const branch of branches) {
      if (isJsonObject(branch)) collect(branch, value, { ...place, depth: place.depth + 1 })
    }
  }
  const properties = schema['properties']
  if (!isJsonObject(properties) || !isJsonObject(value)) return
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property) || !Object.hasOwn(value, name)) continue
    const path = place.path === '' ? name : `${place.path}.${name}`
    collect(property, value[name], { ...place, path, depth: place.depth + 1 })
  }
}

function copy(schema: JsonSchema, value: unknown, { headers, path }: Place): void {
  const name = schema[headerKeyword]
  if (!isHeaderToken(name)) throw new InvalidInput(`the tool has an invalid ${headerKeyword}`, { field: path })
  headers[`Mcp-Param-${name}`] = asHeaderValue(schema['type'], value, path)
}

function asHeaderValue(type: unknown, value: unknown, field: string): string {
  if (type === 'string' && typeof value === 'string') {
    const isPlain = plain.test(value) && !sentinel.test(value)
    return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
  }
  if (type === 'boolean' && typeof value === 'boolean') return String(value)
  if (type === 'integer' && typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new InvalidInput('it must be an integer within ±(2^53-1)', { field })
    return String(value === 0 ? 0 : value)
  }
  throw new InvalidInput(`it must be of type ${String(type)}, and goes into a header`, { field })
}

const searched = new WeakMap<JsonSchema, boolean>()

/** Most tools have no such keyword; each schema is searched once. */
function hasHeaders(schema: JsonSchema): boolean {
  const known = searched.get(schema)
  if (known !== undefined) return known
  const found = search(schema, 0)
  searched.set(schema, found)
  return found
}

function search(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > 2 * maxDepth) return false
  if (Object.hasOwn(value, headerKeyword)) return true
  return Object.values(value).some((inner) => search(inner, depth + 1))
}
