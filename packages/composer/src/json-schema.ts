import type { JsonSchema } from '@vmcp/domain'
import { Ajv } from 'ajv'
import type { ErrorObject } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** The first rule that a value breaks. It holds no value. */
export interface SchemaViolation {
  /** Dotted path; empty for the whole. */
  readonly field: string
  /** The keyword, such as `required` or `type`. */
  readonly rule: string
  readonly message: string
}

/** Applies defaults to a value in place, then says which rule it breaks, if any. */
export type SchemaCheck = (value: unknown) => SchemaViolation | undefined

/**
 * Compiles a JSON Schema, 2020-12 unless its `$schema` says otherwise. Throws when it is none or points outside itself.
 * A `pattern` is run as it stands: whoever writes the schema answers for the time that a hostile text can make it take.
 */
export function compileSchema(schema: JsonSchema): SchemaCheck {
  const { $schema: revision, ...body } = schema
  if ('$async' in body) throw new TypeError('an asynchronous schema cannot be used')
  const ajv = createAjv(typeof revision === 'string' ? revision : '')
  const validate = ajv.compile(body)
  return (value) => {
    try {
      if (validate(value)) return undefined
    } catch {
      return { field: '', rule: '$ref', message: 'cannot be checked: the schema refers to itself without end' }
    }
    const [error] = validate.errors ?? []
    return error === undefined ? { field: '', rule: 'false schema', message: 'is not allowed' } : toViolation(error)
  }
}

/**
 * A `pattern` as its author meant it: Go, which reads it in the reference, allows `\-` anywhere, and flags in front such
 * as `(?i)`. Throws when it is none.
 */
function readPattern(pattern: string, flags: string): RegExp {
  const [inFront = '', names = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? []
  const body = pattern.slice(inFront.length)
  try {
    return new RegExp(body, flags + names)
  } catch {
    return new RegExp(body, names)
  }
}

function createAjv(revision: string): Ajv {
  const code = { regExp: Object.assign(readPattern, { code: 'readPattern' }) }
  const options = { strict: false, useDefaults: true, ownProperties: true, logger: false, code } as const
  const ajv = /draft-0[4-7]/.test(revision)
    ? new Ajv(options)
    : revision.includes('2019-09')
      ? new Ajv2019(options)
      : new Ajv2020(options)
  addFormats.default(ajv)
  return ajv
}

function toViolation(error: ErrorObject): SchemaViolation {
  const parent = error.instancePath.split('/').slice(1).map(unescapePointer)
  const missing: unknown = error.params['missingProperty']
  const path = typeof missing === 'string' ? [...parent, missing] : parent
  const message = typeof missing === 'string' ? 'is required' : (error.message ?? 'is not valid')
  return { field: path.join('.'), rule: error.keyword, message }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
