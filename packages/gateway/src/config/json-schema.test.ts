import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isJsonObject } from '@vmcp/domain'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configJsonSchema } from './json-schema.js'
import { parseConfig } from './load.js'

const examples = new URL('../../../../examples/', import.meta.url)
const stories = readdirSync(examples).filter((name) => existsSync(new URL(`${name}/vmcp.yaml`, examples)))
const committed = new URL('../../vmcp.schema.json', import.meta.url)
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(configJsonSchema())

/** What is wrong in a YAML text, as `path: message`. */
function faultsOf(source: string): readonly string[] {
  validate(parse(source))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

const valid: Readonly<Record<string, string>> = {
  'both kinds of backend': `name: a
backends:
  - { name: one, command: npx, args: [-y, 1], env: { PORT: 8080, DEBUG: true } }
  - { name: two, url: 'https://example.com/mcp', transport: sse }`,
  'a number for a name': 'name: 5\nbackends: []',
  'durations of every form': `name: a
backends: []
operational: { timeouts: { default: 1m30s, perWorkload: { one: 0.5h } }, failureHandling: { healthCheckTimeout: '0' } }`,
  'every kind of step': `name: a
backends: []
compositeTools:
  - name: t
    description: d
    steps:
      - { id: a, tool: x, onError: { action: retry, retryCount: 2, retryDelay: 100ms } }
      - { id: b, type: elicitation, message: m, schema: { type: object } }
      - { id: c, collection: '[1]', step: { tool: x } }
    output:
      properties:
        all: { type: object, description: All, properties: { one: { type: string, description: One, value: '1' } } }`,
  'a place for editors': '$schema: ./vmcp.schema.json\nname: a\nbackends: []',
}

const broken: Readonly<Record<string, readonly [source: string, fault: RegExp]>> = {
  'an unknown key': ['name: a\nbackends: []\nport: 1', /^: must NOT have additional properties$/],
  'no backends': ['name: a', /^: must have required property 'backends'$/],
  'a backend with neither command nor url': ['name: a\nbackends: [{ name: one }]', /required property 'command'/],
  'a backend with both': ['name: a\nbackends: [{ name: one, command: npx, url: http://a }]', /additional properties/],
  'a URL that is not http': ['name: a\nbackends: [{ name: one, url: ftp://a }]', /url: must match pattern/],
  'a duration without a unit': [
    'name: a\nbackends: []\noperational: { timeouts: { default: "30" } }',
    /^\/operational\/timeouts\/default: must match pattern/,
  ],
  'a timeout of zero': [
    'name: a\nbackends: []\noperational: { timeouts: { default: 0s } }',
    /^\/operational\/timeouts\/default: must match pattern/,
  ],
  'a word that there is not': [
    'name: a\nbackends: []\naggregation: { conflictResolution: first }',
    /^\/aggregation\/conflictResolution: must be equal to one of the allowed values$/,
  ],
  'a step that does nothing': [
    'name: a\nbackends: []\ncompositeTools: [{ name: t, description: d, steps: [{ id: a }] }]',
    /^\/compositeTools\/0\/steps\/0: must have required property 'tool'$/,
  ],
  'an output of an unknown type': [
    `name: a
backends: []
compositeTools:
  - name: t
    description: d
    steps: [{ id: a, tool: x }]
    output: { properties: { p: { type: date, description: d, value: v } } }`,
    /^\/compositeTools\/0\/output\/properties\/p\/type: must be equal to one of the allowed values$/,
  ],
}

describe('configJsonSchema', () => {
  it('is what is published: after a change, `vmcp schema > vmcp.schema.json` and prettier make the file anew', async () => {
    expect(JSON.parse(await readFile(committed, 'utf8'))).toEqual(configJsonSchema())
  })

  it.each(stories)('takes the file of the story %s', async (story) => {
    expect(faultsOf(await readFile(new URL(`${story}/vmcp.yaml`, examples), 'utf8'))).toEqual([])
  })

  it.each(Object.entries(valid))('takes %s, as the loader does', (_, source) => {
    expect(faultsOf(source)).toEqual([])
    expect(parseConfig('vmcp.yaml', source, {})).toBeDefined()
  })

  it.each(Object.entries(broken))('refuses %s, as the loader does', (_, [source, fault]) => {
    expect(faultsOf(source)).toContainEqual(expect.stringMatching(fault))
    expect(() => parseConfig('vmcp.yaml', source, {})).toThrow('invalid configuration')
  })

  it('says of every field what it is', () => {
    expect(undescribed(configJsonSchema(), '')).toEqual([])
  })
})

/** The paths of properties without a description. */
function undescribed(schema: unknown, path: string): readonly string[] {
  if (!isJsonObject(schema)) return []
  const properties = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {})
  const definitions = Object.entries(isJsonObject(schema['$defs']) ? schema['$defs'] : {})
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  return [
    ...properties.flatMap(([name, field]) =>
      isJsonObject(field) && 'description' in field ? [] : [`${path}/${name}`],
    ),
    ...[...properties, ...definitions].flatMap(([name, field]) => undescribed(field, `${path}/${name}`)),
    ...[schema['items'], schema['additionalProperties'], ...alternatives].flatMap((part) => undescribed(part, path)),
  ]
}
