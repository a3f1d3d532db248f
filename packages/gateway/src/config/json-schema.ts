import type { JsonSchema } from '@vmcp/domain'
import * as z from 'zod'
import { fileSchema } from './schema.js'
import { backend, httpBackend, stdioBackend } from './sections/backends.js'

/**
 * The JSON Schema (2020-12) of the configuration file, for editors.
 * It knows fields, types and values; what holds between fields, and inside templates, only `loadConfig` knows. It is
 * stricter in one thing: a key without a value, which the loader takes for an absent one, is a fault here.
 */
export function configJsonSchema(): JsonSchema {
  const { $schema, ...shape } = toJsonSchema(fileSchema)
  return {
    $schema,
    title: 'vMCP configuration',
    ...shape,
    $defs: { outputProperty, backend: { anyOf: [httpBackend, stdioBackend].map(toDefinition) } },
  }
}

/** The composer checks this part of a file, so no zod schema has its shape. */
const outputProperty: JsonSchema = {
  description: 'A property of the output. It has a value or, for an object, properties.',
  type: 'object',
  properties: {
    type: { description: 'Its type.', enum: ['string', 'integer', 'number', 'boolean', 'object', 'array'] },
    description: { description: 'What it is: models read this.', type: 'string', minLength: 1 },
    value: { description: 'A template that gives its value.', type: 'string' },
    properties: {
      description: 'The properties of an object, by name.',
      type: 'object',
      additionalProperties: { $ref: '#/$defs/outputProperty' },
    },
    default: { description: 'Used when the template has no value, or one that does not fit the type.' },
  },
  required: ['type', 'description'],
}

function toDefinition(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...definition } = toJsonSchema(schema)
  return definition
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === backend) jsonSchema.$ref = '#/$defs/backend'
      if (zodSchema._zod.def.type === 'record') delete jsonSchema.propertyNames
    },
  })
}
