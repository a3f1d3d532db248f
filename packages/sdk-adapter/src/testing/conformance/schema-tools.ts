import type { ConformanceTool } from './conformance-call.js'
import { textResult } from './content.js'

/** A tool whose schema uses what JSON Schema 2020-12 has beyond older drafts. */
export const jsonSchemaTool: ConformanceTool = {
  definition: {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  call: () => textResult('Accepted'),
}

/** A tool with a parameter that also travels as an HTTP header (2026). */
export const parameterHeaderTool: ConformanceTool = {
  definition: {
    name: 'test_x_mcp_header',
    description: 'Takes a parameter that also travels as a header',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
  },
  call: (call) => textResult(`Region: ${String(call.arguments['region'])}`),
}
