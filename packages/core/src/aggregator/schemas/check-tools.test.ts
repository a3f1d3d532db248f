import type { JsonSchema, Tool } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import type { AggregationConfig } from '../../core-config.js'
import { aggregate, findingsOf } from '../test-support/aggregate.js'
import { scriptedBackend, toolNamed } from '../test-support/scripted-backend.js'

const withInput = (name: string, inputSchema: unknown): Tool => ({ name, inputSchema: inputSchema as JsonSchema })
const served = async (tools: readonly Tool[], invalidSchemas?: AggregationConfig['invalidSchemas']) =>
  aggregate(
    [scriptedBackend('b', { tools }), scriptedBackend('c', { tools: ['other'] })],
    invalidSchemas === undefined ? {} : { aggregation: { invalidSchemas } },
  )
const nested = (levels: number): JsonSchema =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { inner: nested(levels - 1) } }

describe('valid schemas', () => {
  const valid: Readonly<Record<string, unknown>> = {
    'case 09: draft-07 definitions, vendor keywords': {
      type: 'object',
      properties: { q: { $ref: '#/definitions/Q' } },
      definitions: { Q: { oneOf: [{ const: 1 }, { type: 'null' }] } },
      'x-vendor': { k: 1 },
      additionalProperties: false,
    },
    'case 09: only oneOf at the root': { oneOf: [{ type: 'object' }, { type: 'object', required: ['a'] }] },
    'case 09: boolean subschema': { properties: { any: true } },
    'case 09: recursion': {
      type: 'object',
      $defs: { T: { properties: { t: { $ref: '#/$defs/T' } } } },
      $ref: '#/$defs/T',
    },
    'draft-07 tuples': {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { items: [{}] } },
    },
    'tuples without $schema': { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }] } } },
    'draft-04 limits': {
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      properties: { n: { exclusiveMinimum: true, minimum: 0 } },
    },
    'anchors and ids': {
      type: 'object',
      $id: 'https://example.com/root.json',
      $defs: {
        A: { $anchor: 'a' },
        B: { $id: 'b.json', $defs: { C: { type: 'string' } }, properties: { c: { $ref: '#/$defs/C' } } },
      },
      properties: { a: { $ref: '#a' }, b: { $ref: 'b.json' }, self: { $ref: 'https://example.com/root.json' } },
    },
    'escaped pointers': { type: 'object', $defs: { 'a/b c': {} }, properties: { x: { $ref: '#/$defs/a~1b%20c' } } },
    'the meta-schema itself': {
      type: 'object',
      properties: { s: { $ref: 'http://json-schema.org/draft-07/schema#' } },
    },
    'unknown formats and patterns of other languages': {
      type: 'object',
      properties: { x: { type: 'string', format: 'duck', pattern: '(?i)a' } },
    },
    'data that looks like a reference': { type: 'object', properties: { x: { const: { $ref: '#/nowhere' } } } },
    'a property called $ref or type': {
      type: 'object',
      properties: { $ref: { type: 'string' }, type: { type: 'string' } },
    },
    'several types': { type: 'object', properties: { x: { type: ['string', 'null'] } } },
  }

  it.each(Object.entries(valid))('%s: served as it is', async (_title, inputSchema) => {
    const before = structuredClone(inputSchema)
    for (const policy of ['drop', 'repair', 'pass'] as const) {
      const view = await served([withInput('x', inputSchema)], policy)
      expect(view.report.findings).toEqual([])
      expect(view.tools.get('b_x')?.item.inputSchema).toBe(inputSchema)
    }
    expect(inputSchema).toEqual(before)
  })

  it('may describe any value in an outputSchema', async () => {
    const view = await served([toolNamed('x', { outputSchema: { type: 'array', items: { type: 'string' } } })])
    expect(view.report.findings).toEqual([])
  })
})

describe('invalid schemas', () => {
  const tools: readonly Tool[] = [
    toolNamed('ok'),
    withInput('int_type', { type: 'object', properties: { n: { type: 'int' }, s: { type: 'string' } } }),
    withInput('str_root', { type: 'string' }),
    toolNamed('dangling', { outputSchema: { $ref: '#/$defs/None' } }),
  ]

  it('case 10: are left out by default, reported, and harm nobody else', async () => {
    const view = await served(tools)
    expect([...view.tools.keys()]).toEqual(['b_ok', 'c_other'])
    expect(
      findingsOf(view, 'invalid-schema').map(({ backendId, subject, message }) => [backendId, subject, message]),
    ).toEqual([
      ['b', 'dangling', 'its outputSchema refers to "#/$defs/None", which is not in it; the tool is left out'],
      ['b', 'int_type', 'its inputSchema has the unknown type "int"; the tool is left out'],
      ['b', 'str_root', 'its inputSchema does not describe an object; the tool is left out'],
    ])
  })

  it('case 10: are mended under repair, as little as it takes', async () => {
    const view = await served(tools, 'repair')
    expect(view.tools.get('b_int_type')?.item.inputSchema).toEqual({
      type: 'object',
      properties: { n: { type: 'integer' }, s: { type: 'string' } },
    })
    expect(view.tools.get('b_str_root')?.item.inputSchema).toEqual({ type: 'object' })
    expect(view.tools.get('b_dangling')?.item).not.toHaveProperty('outputSchema')
    expect(findingsOf(view, 'invalid-schema')).toHaveLength(3)
  })

  it('lose the references that lead nowhere under repair', async () => {
    const view = await served(
      [withInput('x', { type: 'object', properties: { a: { $ref: '#/no', title: 'A' } } })],
      'repair',
    )
    expect(view.tools.get('b_x')?.item.inputSchema).toEqual({ type: 'object', properties: { a: { title: 'A' } } })
  })

  it('take no type and no property for what every object has', async () => {
    const types = ['constructor', 'toString', '__proto__']
    const properties = JSON.parse(
      `{${types.map((name) => `"${name}":{"type":"${name}"}`).join(',')},"n":{"type":"int"}}`,
    )
    const view = await served([withInput('x', { type: 'object', properties })], 'repair')
    expect(JSON.stringify(view.tools.get('b_x')?.item.inputSchema)).toBe(
      '{"type":"object","properties":{"constructor":{},"toString":{},"__proto__":{},"n":{"type":"integer"}}}',
    )
    expect(findingsOf(view, 'invalid-schema')[0]?.message).toContain('has the unknown type "constructor"')
  })

  it('case 10: are passed on under pass, and still reported', async () => {
    const view = await served(tools, 'pass')
    expect(view.tools.get('b_int_type')?.item.inputSchema).toBe(tools[1]?.inputSchema)
    expect(view.tools.size).toBe(5)
    expect(findingsOf(view, 'invalid-schema')).toHaveLength(3)
  })

  it.each<[string, unknown, RegExp]>([
    ['no schema', undefined, /is not an object/u],
    ['a list', [], /is not an object/u],
    ['a text', 'object', /is not an object/u],
    ['a list of root types', { type: ['object', 'null'] }, /does not describe an object/u],
    [
      'a property that is no schema',
      { type: 'object', properties: { a: 'string' } },
      /is no valid JSON Schema \(at "\/properties\/a"/u,
    ],
    [
      'another document',
      { type: 'object', properties: { a: { $ref: 'https://evil.example/s.json' } } },
      /is not in it/u,
    ],
    ['a file', { type: 'object', properties: { a: { $ref: 'file:///etc/passwd' } } }, /is not in it/u],
    ['a pointer through a prototype', { type: 'object', properties: { a: { $ref: '#/__proto__' } } }, /is not in it/u],
    ['a bad pointer', { type: 'object', properties: { a: { $ref: '#/%zz' } } }, /is not in it/u],
    ['too many levels', nested(100), /nested deeper than 128 levels/u],
    ['too much text', { type: 'object', description: 'x'.repeat(1_048_577) }, /longer than 1048576 characters/u],
  ])('are found: %s', async (_title, inputSchema, message) => {
    const view = await served([withInput('x', inputSchema)])
    expect([...view.tools.keys()]).toEqual(['c_other'])
    expect(findingsOf(view, 'invalid-schema')[0]?.message).toMatch(message)
    const repaired = await served([withInput('x', inputSchema)], 'repair')
    expect(repaired.tools.get('b_x')?.item.inputSchema).toMatchObject({ type: 'object' })
  })

  it('do not claim names', async () => {
    const backends = [
      scriptedBackend('a', { tools: [withInput('x', { type: 'string' })] }),
      scriptedBackend('b', { tools: ['x'] }),
    ]
    const view = await aggregate(backends, {
      aggregation: { conflictResolution: { strategy: 'priority', priorityOrder: ['a', 'b'] } },
    })
    expect(view.tools.get('x')?.route.backendId).toBe('b')
  })

  it('of a very deep document do not exhaust the stack', async () => {
    let deep: unknown = {}
    for (let level = 0; level < 100_000; level++) deep = { not: deep }
    const view = await served([withInput('x', { type: 'object', not: deep })], 'repair')
    expect(view.tools.get('b_x')?.item.inputSchema).toEqual({ type: 'object' })
  })
})

describe('x-mcp-header annotations', () => {
  const annotated = (property: unknown) => ({ type: 'object', properties: { region: property } })

  it('AGG-L13 drop the offender only, and keep the order of the others', async () => {
    for (const policy of ['drop', 'repair', 'pass'] as const) {
      const offender = withInput('offender', annotated({ type: 'number', 'x-mcp-header': 'Region' }))
      const view = await served([toolNamed('before'), offender, toolNamed('after')], policy)
      expect([...view.tools.keys()]).toEqual(['b_after', 'b_before', 'c_other'])
      expect(findingsOf(view, 'invalid-schema')).toMatchObject([{ subject: 'offender' }])
    }
  })

  it.each<[string, unknown]>([
    ['AGG-L14 a header that is injected', annotated({ type: 'string', 'x-mcp-header': 'R\r\nX: y' })],
    ['AGG-L14 an empty name', annotated({ type: 'string', 'x-mcp-header': '' })],
    ['no text', annotated({ type: 'string', 'x-mcp-header': 1 })],
    ['no type', annotated({ 'x-mcp-header': 'R' })],
    [
      'a name twice',
      {
        type: 'object',
        properties: { a: { type: 'string', 'x-mcp-header': 'R' }, b: { type: 'string', 'x-mcp-header': 'r' } },
      },
    ],
    ['in a branch', { type: 'object', anyOf: [annotated({ type: 'object', 'x-mcp-header': 'R' })] }],
    ['in the items of a list', annotated({ type: 'array', items: { type: 'object', 'x-mcp-header': 'R' } })],
  ])('drop a tool with %s', async (_title, inputSchema) => {
    expect([...(await served([withInput('x', inputSchema)])).tools.keys()]).toEqual(['c_other'])
  })

  it('are fine on strings, integers and booleans, and mean nothing on the root', async () => {
    const view = await served([
      withInput('x', {
        type: 'object',
        'x-mcp-header': '',
        properties: {
          a: { type: 'string', 'x-mcp-header': 'A' },
          b: { type: 'integer', 'x-mcp-header': 'B' },
          c: { type: 'boolean', 'x-mcp-header': 'C' },
        },
      }),
    ])
    expect(view.report.findings).toEqual([])
  })
})

describe('tools that can only be called as a task', () => {
  const taskTool = (name: string, taskSupport: string): Tool => ({
    ...withInput(name, { type: 'object' }),
    execution: { taskSupport },
  })

  it('are left out with a finding, whatever the policy for schemas', async () => {
    for (const policy of ['drop', 'repair', 'pass'] as const) {
      const view = await served([taskTool('long', 'required'), taskTool('either', 'optional')], policy)
      expect([...view.tools.keys()]).toEqual(['b_either', 'c_other'])
      expect(findingsOf(view, 'unsupported')).toMatchObject([
        { kind: 'tool', subject: 'long', backendId: 'b', message: expect.stringContaining('as a task') },
      ])
    }
  })
})
