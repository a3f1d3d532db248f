import type { JsonSchema } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import type { Exchange } from '../exchange.js'
import { decodeHeaderValue } from '../wire/header-value.js'
import { rpcCode } from '../wire/json-rpc.js'
import { ProtocolError } from '../wire/protocol-error.js'

interface Declaration {
  readonly path: readonly string[]
  /** The header's full name, in lower case. */
  readonly header: string
}

const declared = new WeakMap<JsonSchema, readonly Declaration[]>()
const deepest = 64

/**
 * Checks the `Mcp-Param-*` headers of a tool call against its arguments (2026-07-28, SEP-2243): an argument that the
 * schema marks with `x-mcp-header` is repeated in its header. Throws a `ProtocolError` (400, -32020).
 */
export function checkParameterHeaders(schema: JsonSchema, given: unknown, headers: Exchange['headers']): void {
  const declarations = declared.get(schema) ?? findDeclarations(schema)
  declared.set(schema, declarations)
  for (const { path, header } of declarations) {
    const expected = textOf(path.reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), given))
    if (expected === undefined) continue
    const value = headers[header]
    if (value === undefined) throw mismatch(`the ${header} header is required`, header)
    const decoded = decodeHeaderValue(value)
    if (decoded === undefined) throw mismatch(`${header} is not valid Base64`, header)
    if (!agrees(decoded, expected)) throw mismatch(`${header} differs from the body`, header)
  }
}

function findDeclarations(schema: JsonSchema, path: readonly string[] = []): readonly Declaration[] {
  const properties = schema['properties']
  if (!isJsonObject(properties) || path.length >= deepest) return []
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isJsonObject(property)) return []
    const here = [...path, name]
    const header = property['x-mcp-header']
    return [
      ...(typeof header === 'string' ? [{ path: here, header: `mcp-param-${header.toLowerCase()}` }] : []),
      ...findDeclarations(property, here),
    ]
  })
}

/** The header form of an argument; `undefined` when it has none and so needs no header. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number') return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

/** `42` and `42.0` agree. */
function agrees(decoded: string, expected: string): boolean {
  if (decoded === expected) return true
  const decimal = /^-?\d+(\.\d+)?$/
  return decimal.test(decoded) && decimal.test(expected) && Number(decoded) === Number(expected)
}

function mismatch(text: string, header: string): ProtocolError {
  return new ProtocolError(rpcCode.headerMismatch, text, { status: 400, data: { header } })
}
