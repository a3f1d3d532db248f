import type { JsonSchema } from '@vmcp/domain'
import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

import { subschemasOf } from './subschemas.js'

const draft7 = 'http://json-schema.org/draft-07/schema'
const draft2020 = 'https://json-schema.org/draft/2020-12/schema'
const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])
// The meta-schemas name formats such as "uri-reference"; they are left alone, as are formats of the tools themselves.
const settings = { strict: false, validateFormats: false, logger: false } as const

let validators: readonly ValidateFunction[] | undefined

/**
 * What a schema's own grammar forbids. A schema may follow draft-07 or 2020-12 whatever it says of itself, and unknown
 * keywords and formats are fine; for the grammar of any other draft only the types are checked.
 */
export function findGrammarProblem(schema: JsonSchema): string | undefined {
  const badType = findUnknownType(schema)
  if (badType !== undefined) return `has the unknown type ${JSON.stringify(badType).slice(0, 64)}`
  const dialect = schema['$schema']
  if (typeof dialect === 'string' && !isCheckedDialect(dialect)) return undefined
  validators ??= [new Ajv2020(settings).getSchema(draft2020), new Ajv(settings).getSchema(draft7)].filter(
    (validate) => validate !== undefined,
  )
  if (validators.some((validate) => validate(schema))) return undefined
  const [error] = validators[0]?.errors ?? []
  return `is no valid JSON Schema (at "${error?.instancePath ?? ''}": ${error?.message ?? 'unknown'})`
}

/** True for a `type` that JSON Schema knows, or a list of such. */
export function isKnownType(type: unknown): boolean {
  return Array.isArray(type) ? type.every((one) => types.has(one as string)) : types.has(type as string)
}

function findUnknownType(schema: JsonSchema): unknown {
  if (Object.hasOwn(schema, 'type') && !isKnownType(schema['type'])) return schema['type'] ?? null
  for (const { schema: inner } of subschemasOf(schema)) {
    const found = findUnknownType(inner)
    if (found !== undefined) return found
  }
  return undefined
}

function isCheckedDialect(dialect: string): boolean {
  return /draft-0[67]|2019-09|2020-12/u.test(dialect)
}
