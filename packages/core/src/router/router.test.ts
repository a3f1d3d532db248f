import { InvalidInput } from '@vmcp/domain'
import type { JsonObject, JsonSchema } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'

import { aggregate } from '../aggregator/test-support/aggregate.js'
import { scriptedBackend } from '../aggregator/test-support/scripted-backend.js'
import { matchResource, matchTemplate } from './match-resource.js'
import { parameterHeaders } from './parameter-headers.js'
import { resolveToolReference } from './resolve-tool-reference.js'
import { routeTool } from './route-tool.js'

describe('routeTool', () => {
  it('AGG-A20 does not find a hidden tool', async () => {
    const view = await aggregate([scriptedBackend('b', { tools: ['x'] })], { aggregation: { excludeAllTools: true } })
    expect(routeTool(view, 'b_x')).toBeUndefined()
    expect(resolveToolReference(view, 'b_x')?.route).toEqual({ backendId: 'b', name: 'x' })
  })

  it('AGG-T01 does not take the dotted form of workflows', async () => {
    const view = await aggregate([scriptedBackend('b', { tools: ['x'] })])
    expect(routeTool(view, 'b.x')).toBeUndefined()
    expect(routeTool(view, 'b_x')?.route).toEqual({ backendId: 'b', name: 'x' })
  })
})

describe('resolveToolReference', () => {
  it("AGG-T01 finds a tool by its backend and the backend's own name", async () => {
    const view = await aggregate([scriptedBackend('my-backend', { tools: ['echo'] })])
    expect(resolveToolReference(view, 'my-backend.echo')?.item.name).toBe('my-backend_echo')
    expect(resolveToolReference(view, 'my-backend.fetch')).toBeUndefined()
  })

  it('AGG-T02 finds nothing in an empty view', async () => {
    const view = await aggregate([])
    expect(resolveToolReference(view, 'a.b')).toBeUndefined()
    expect(matchResource(view, 'u:1')).toBeUndefined()
  })

  it('prefers the advertised name', async () => {
    const view = await aggregate([scriptedBackend('a', { tools: ['b'] }), scriptedBackend('x', { tools: ['y'] })], {
      aggregation: {
        conflictResolution: { strategy: 'priority', priorityOrder: ['a'] },
        tools: [{ workload: 'x', overrides: { y: { name: 'a.b' } } }],
      },
    })
    expect(resolveToolReference(view, 'a.b')?.route).toEqual({ backendId: 'x', name: 'y' })
  })

  // Quirk 25: the reference splits at the first dot, so that ids with a dot cannot be named.
  it('knows backends whose ids hold dots, the longest first', async () => {
    const view = await aggregate([
      scriptedBackend('a', { tools: ['b.c', 'b.d'] }),
      scriptedBackend('a.b', { tools: ['c'] }),
    ])
    expect(resolveToolReference(view, 'a.b.c')?.route).toEqual({ backendId: 'a.b', name: 'c' })
    expect(resolveToolReference(view, 'a.b.d')?.route).toEqual({ backendId: 'a', name: 'b.d' })
  })
})

describe('matchResource', () => {
  it('AGG-T03 finds the template that a URI matches, and asks its backend for that URI', async () => {
    const view = await aggregate([scriptedBackend('logs', { templates: ['file:///logs/{date}.txt'] })])
    expect(matchResource(view, 'file:///logs/2024-01-01.txt')).toEqual({
      backendId: 'logs',
      name: 'file:///logs/2024-01-01.txt',
    })
  })

  it('AGG-T04 prefers a listed resource, then the text of a template', async () => {
    const view = await aggregate([
      scriptedBackend('b', { templates: ['u:{+any}', 'u:{x}'] }),
      scriptedBackend('c', { resources: ['u:1'], templates: ['{+everything}'] }),
    ])
    expect(matchResource(view, 'u:1')).toEqual({ backendId: 'c', name: 'u:1' })
    expect(matchResource(view, 'u:{x}')).toEqual({ backendId: 'b', name: 'u:{x}' })
  })

  it('AGG-T05 skips a template that cannot be read', async () => {
    const view = await aggregate([scriptedBackend('b', { templates: ['u:{', 'u:{x}'] })])
    expect(matchResource(view, 'u:1')?.backendId).toBe('b')
  })

  it('AGG-T06 tries templates in the order of their text', async () => {
    const view = await aggregate([
      scriptedBackend('pair', { templates: ['file:///{a}/{b}'] }),
      scriptedBackend('path', { templates: ['file:///{+path}'] }),
    ])
    expect(matchResource(view, 'file:///x/y')?.backendId).toBe('path')
  })
})

describe('matchTemplate', () => {
  it('answers the template of exactly that text, else the first that matches', () => {
    const templates = ['u:{+a}', 'u:{b}'].map((uriTemplate) => ({ uriTemplate, name: uriTemplate }))
    expect(matchTemplate(templates, 'u:{b}')?.name).toBe('u:{b}')
    expect(matchTemplate(templates, 'u:1')?.name).toBe('u:{+a}')
    expect(matchTemplate(templates, 'x:1')).toBeUndefined()
  })
})

describe('parameterHeaders', () => {
  const headersOf = (inputSchema: JsonSchema, args: JsonObject) =>
    Effect.runSync(parameterHeaders({ name: 'x', inputSchema }, args))
  const refused = (inputSchema: JsonSchema, args: JsonObject) =>
    Effect.runSync(Effect.flip(parameterHeaders({ name: 'x', inputSchema }, args)))
  const withHeader = (type: string): JsonSchema => ({
    type: 'object',
    properties: { region: { type, 'x-mcp-header': 'Region' }, query: { type: 'string' } },
  })

  it('CORE-K07 copies annotated arguments and no others', () => {
    expect(headersOf(withHeader('string'), { region: 'eu-west1', query: 'select 1' })).toEqual({
      'Mcp-Param-Region': 'eu-west1',
    })
  })

  it('answers nothing without annotations, or without the argument', () => {
    expect(headersOf({ type: 'object' }, { region: 'x' })).toBeUndefined()
    expect(headersOf(withHeader('string'), { query: 'x' })).toBeUndefined()
    expect(headersOf(withHeader('string'), { region: null })).toBeUndefined()
  })

  it.each([
    ['integer', 42, '42'],
    ['integer', -0, '0'],
    ['integer', 9007199254740991, '9007199254740991'],
    ['boolean', false, 'false'],
    ['string', '', ''],
    ['string', 'a b', 'a b'],
    ['string', 'Zürich', '=?base64?WsO8cmljaA==?='],
    ['string', ' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['string', '=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
    ['string', 'a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
    ['string', '\u007f', '=?base64?fw==?='],
  ])('writes the %s %j as %j', (type, value, header) => {
    expect(headersOf(withHeader(type), { region: value })).toEqual({ 'Mcp-Param-Region': header })
  })

  it.each([
    ['string', 1],
    ['integer', 1.5],
    ['integer', 9007199254740992],
    ['integer', '1'],
    ['boolean', 'true'],
  ])('refuses for a %s the value %j', (type, value) => {
    const error = refused(withHeader(type), { region: value })
    expect(error).toBeInstanceOf(InvalidInput)
    expect(error.field).toBe('region')
  })

  it('reaches nested properties and branches, but nothing in a list', () => {
    const leaf = { type: 'string', 'x-mcp-header': 'Leaf' }
    const inner = { type: 'object', properties: { leaf } }
    const args = { a: { leaf: 'v' } }
    expect(headersOf({ type: 'object', properties: { a: inner } }, args)).toEqual({ 'Mcp-Param-Leaf': 'v' })
    expect(headersOf({ anyOf: [{ properties: { a: { allOf: [inner] } } }] }, args)).toEqual({ 'Mcp-Param-Leaf': 'v' })
    const list = { type: 'object', properties: { a: { type: 'array', items: inner } } }
    expect(headersOf(list, { a: [{ leaf: 'v' }] })).toBeUndefined()
  })

  it('refuses an annotation that is no header name: a schema may have been passed on unchecked', () => {
    const schema = { properties: { region: { type: 'string', 'x-mcp-header': 'R\r\nX' } } }
    expect(refused(schema, { region: 'x' })).toBeInstanceOf(InvalidInput)
  })
})
