import type { OutputProperty, WorkflowOutput } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { OutputError, constructOutput } from './construct-output.js'

function property(type: OutputProperty['type'], value: string, fallback?: unknown): OutputProperty {
  return { type, description: 'd', value, ...(fallback !== undefined && { default: fallback }) }
}

function construct(properties: WorkflowOutput['properties'], output: Record<string, unknown>, required?: string[]) {
  return constructOutput(
    { properties, ...(required !== undefined && { required }) },
    { params: {}, steps: { s: { output } } },
  )
}

describe('constructOutput', () => {
  it('CORE-O01 reads text as the type says', () => {
    const output = construct(
      {
        text: property('string', '{{.steps.s.output.text}}'),
        count: property('integer', '{{.steps.s.output.count}}'),
        success: property('boolean', '{{.steps.s.output.success}}'),
        score: property('number', '{{.steps.s.output.score}}'),
      },
      { text: 'hello', count: '42', success: 'true', score: '95.5' },
    )

    expect(output).toEqual({ text: 'hello', count: 42, success: true, score: 95.5 })
  })

  it('CORE-O02 nests properties', () => {
    const output = construct(
      {
        user: {
          type: 'object',
          description: 'd',
          properties: {
            id: property('integer', '{{.steps.s.output.id}}'),
            stats: {
              type: 'object',
              description: 'd',
              properties: {
                posts: property('integer', '{{.steps.s.output.posts}}'),
                followers: property('integer', '{{.steps.s.output.followers}}'),
              },
            },
          },
        },
      },
      { id: 123, posts: '45', followers: '1200' },
    )

    expect(output).toEqual({ user: { id: 123, stats: { posts: 45, followers: 1200 } } })
  })

  it('CORE-O03 uses defaults for what is missing', () => {
    const output = construct(
      {
        id: property('string', '{{.steps.s.output.id}}', 'none'),
        name: property('string', '{{.steps.s.output.name}}', 'unknown'),
        count: property('integer', '{{.steps.s.output.count}}', 1),
        done: property('boolean', '{{.steps.s.output.done}}', false),
      },
      { id: 'rec123' },
    )

    expect(output).toEqual({ id: 'rec123', name: 'unknown', count: 1, done: false })
  })

  it('CORE-O04 reads objects and arrays from JSON text', () => {
    const output = construct(
      {
        metadata: property('object', '{{.steps.s.output.metadata_json}}'),
        tags: property('array', '{{.steps.s.output.tags_json}}'),
      },
      {
        metadata_json: '{"version": "1.0", "author": "system"}',
        tags_json: '["important", "reviewed", "approved"]',
      },
    )

    expect(output).toEqual({
      metadata: { version: '1.0', author: 'system' },
      tags: ['important', 'reviewed', 'approved'],
    })
  })

  // The reference prints them as `map[a:1]`, which nothing can read; a single expression keeps its type here.
  it('takes objects and arrays of a single expression as they are', () => {
    const output = construct(
      { whole: property('object', '{{.steps.s.output}}'), tags: property('array', '{{.steps.s.output.tags}}') },
      { tags: ['a'] },
    )

    expect(output).toEqual({ whole: { tags: ['a'] }, tags: ['a'] })
  })

  it('CORE-O05 prefers an empty text to the default, and the default to a missing field', () => {
    const output = construct(
      {
        empty: property('string', '{{.steps.s.output.empty}}', 'should_not_be_used'),
        missing: property('string', '{{.steps.s.output.missing}}', 'should_be_used'),
      },
      { empty: '' },
    )

    expect(output).toEqual({ empty: '', missing: 'should_be_used' })
  })

  it('CORE-O06 renders a missing field without a default as <no value>, which counts as there', () => {
    const properties = { text: property('string', '{{.steps.s.output.missing}}') }

    expect(construct(properties, {}, ['text'])).toEqual({ text: '<no value>' })
  })

  it('CORE-O07 falls back to the default when a text does not fit, else fails', () => {
    const value = '{{.steps.s.output.count}}'

    expect(construct({ n: property('integer', value, 99) }, { count: 'not_a_number' })).toEqual({ n: 99 })
    expect(() => construct({ n: property('integer', value) }, { count: 'not_a_number' })).toThrow(OutputError)
  })

  it('CORE-O08 does so for booleans and objects', () => {
    const flag = { flag: property('boolean', '{{.steps.s.output.flag}}') }
    const data = { data: property('object', '{{.steps.s.output.data}}', { fallback: true }) }

    expect(() => construct(flag, { flag: 'maybe' })).toThrow('failed to coerce value for property "flag"')
    expect(construct(data, { data: 'not valid json' })).toEqual({ data: { fallback: true } })
  })

  it('CORE-O09 fails when a required property is not there', () => {
    const properties = { other: property('string', 'x') }

    expect(() => construct(properties, {}, ['name'])).toThrow('required output field "name" is missing')
  })

  it('CORE-O10 uses the default for the output of a skipped step', () => {
    const output = constructOutput(
      {
        properties: {
          fetched: property('string', '{{.steps.fetch.output.data}}'),
          processed: property('string', '{{.steps.process.output.data}}', 'not_processed'),
        },
      },
      { params: {}, steps: { fetch: { output: { data: 'raw_data' } }, process: { status: 'skipped', output: {} } } },
    )

    expect(output).toEqual({ fetched: 'raw_data', processed: 'not_processed' })
  })

  it('uses the default when a template fails, or reads the output of a step that has none', () => {
    const value = '{{.steps.s.output.text.deeper}}'

    expect(construct({ text: property('string', value, 'none') }, { text: 'scalar' })).toEqual({ text: 'none' })
    expect(() => construct({ text: property('string', value) }, { text: 'scalar' })).toThrow(
      'failed to expand template for property "text"',
    )
  })

  it('repeats no value in its errors', () => {
    const properties = { n: property('integer', '{{.steps.s.output.secret}}') }

    expect(() => construct(properties, { secret: 'supersecret123' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('supersecret123') as string }),
    )
  })

  it('treats null, {} and [] as no default', () => {
    for (const none of [null, {}, []]) {
      const properties = { o: property('object', '{{.steps.s.output.missing}}', none) }

      expect(() => construct(properties, {})).toThrow(OutputError)
    }
  })
})
