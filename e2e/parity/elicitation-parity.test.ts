import type { JsonObject, JsonSchema } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { observe, type Observation } from './observe.js'
import { adapterPath, referencePath } from './paths.js'
import { nested, scenario, type Scenario, type ScenarioOptions } from './scenario.js'

/** What both paths show, once it is certain that they show the same. */
async function observeBoth(asked: Scenario): Promise<Observation> {
  const reference = await observe(referencePath, asked)
  const ours = await observe(adapterPath(), asked)
  expect(ours).toEqual(reference)
  return ours
}

function form(properties: Readonly<Record<string, JsonSchema>>, more: JsonObject = {}): JsonSchema {
  return { type: 'object', properties, ...more }
}

describe('an accepted question', () => {
  it.each<[string, JsonSchema, JsonObject | undefined]>([
    [
      'texts',
      form({ name: { type: 'string', minLength: 1 } }, { required: ['name'] }),
      { name: 'Ada\n"Lovelace" <a&b>' },
    ],
    ['numbers', form({ a: { type: 'number' }, b: { type: 'number' } }), { a: 0.1, b: 1e21 }],
    ['integers', form({ a: { type: 'integer' }, b: { type: 'integer' } }), { a: 1_000_000, b: -9_007_199_254_740_991 }],
    ['booleans', form({ on: { type: 'boolean', default: true }, off: { type: 'boolean' } }), { on: true, off: false }],
    [
      'one of a list',
      form({ size: { type: 'string', enum: ['S', 'M'], enumNames: ['small', 'medium'] } }),
      { size: 'M' },
    ],
    [
      'several of a list',
      form({ zones: { type: 'array', items: { type: 'string', enum: ['eu', 'us'] }, minItems: 1 } }),
      { zones: ['us', 'eu'] },
    ],
    ['any script', form({ ключ: { type: 'string', title: '名前' } }), { ключ: '👩‍🚀 \u2028 Ω \u0000' }],
    [
      'keys that look like paths',
      form({
        'a.b': { type: 'string' },
        '{{.params}}': { type: 'string' },
        '2': { type: 'string' },
        '10': { type: 'string' },
      }),
      { '10': 'ten', '2': 'two', 'a.b': '{{.params.service}}', '{{.params}}': '$&', 'steps.ask': 'x' },
    ],
    [
      'keywords that no form knows',
      form({ n: { type: 'string' } }, { 'x-order': ['n'], $comment: 'kept' }),
      { n: 'x' },
    ],
    ['an empty form', form({}), {}],
    ['no form at all', form({}), undefined],
  ])('CORE-E01 CORE-P01 hands %s on to later steps', async (_, schema, content) => {
    const answer = { action: 'accept', ...(content !== undefined && { content }) }
    const { result, questions, calls } = await observeBoth(scenario(answer, { schema }))

    expect(questions).toEqual([{ message: '"Deploy café ☕?"', requestedSchema: JSON.stringify(schema) }])
    expect(calls.map((call) => JSON.parse(call).arguments.content)).toEqual([content ?? null])
    expect(JSON.parse(result).structuredContent).toMatchObject({ action: 'accept', status: 'completed' })
  })

  it.each<[string, unknown]>([
    ['nested objects', { a: { b: [{ c: null }] } }],
    ['a key of prototypes', JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}')],
  ])('hands %s on, which no official client sends', async (_, content) => {
    const { calls } = await observeBoth(scenario({ action: 'accept', content }, { client: 'lawless' }))

    expect(calls.map((call) => JSON.stringify(JSON.parse(call).arguments.content))).toEqual([JSON.stringify(content)])
  })

  it.each([
    ['a text', 'text'],
    ['a list', [1]],
    ['a number', 5],
  ])('CORE-E11 takes %s as content for none, with a warning', async (_, content) => {
    const { calls, warnings } = await observeBoth(scenario({ action: 'accept', content }, { client: 'lawless' }))

    expect(calls.map((call) => JSON.parse(call).arguments.content)).toEqual([null])
    expect(warnings).toEqual([expect.stringContaining('is not an object')])
  })
})

describe('a refused question', () => {
  it.each<[string, Scenario['answer'], ScenarioOptions['step'], string]>([
    ['CORE-E02 declined', { action: 'decline' }, {}, 'declined by user: step ask'],
    ['CORE-E02 declined, to abort', { action: 'decline' }, { onDecline: { action: 'abort' } }, 'declined by user'],
    [
      'CORE-E02 declined, to go on',
      { action: 'decline' },
      { onDecline: { action: 'continue' } },
      '"status":"completed"',
    ],
    [
      'declined, to skip the rest',
      { action: 'decline' },
      { onDecline: { action: 'skip_remaining' } },
      '"action":"decline"',
    ],
    ['CORE-E03 cancelled', { action: 'cancel' }, {}, 'cancelled by user: step ask'],
    [
      'CORE-E03 cancelled, to go on',
      { action: 'cancel' },
      { onCancel: { action: 'continue' } },
      '"status":"completed"',
    ],
    [
      'CORE-E03 cancelled, to skip the rest',
      { action: 'cancel' },
      { onCancel: { action: 'skip_remaining' } },
      '"action":"cancel"',
    ],
    ['CORE-P01 failed by the client', 'fail', {}, 'elicitation request failed for step ask'],
    ['with content beside the refusal', { action: 'decline', content: { x: 'y' } }, {}, 'declined by user'],
  ])('%s gives the same bytes', async (_, answer, step, expected) => {
    expect((await observeBoth(scenario(answer, { step: { ...step } }))).result).toContain(expected)
  })

  // The texts differ: the SDK, the adapter and the composer each refuse such an answer by themselves.
  it('with an action that there is not, is a failure', async () => {
    const asked = scenario({ action: 'maybe', content: {} }, { client: 'lawless' })
    for (const path of [referencePath, adapterPath()]) {
      const { result, calls } = await observe(path, asked)
      expect(JSON.parse(result)).toMatchObject({ isError: true })
      expect(result).toMatch(/unknown action|invalid elicitation response action/)
      expect(calls).toEqual([])
    }
  })
})

describe('an open question', () => {
  it.each<[string, ScenarioOptions, string]>([
    ['CORE-E04 fails its step', { step: { timeoutMs: 40 } }, 'elicitation request timed out: step ask'],
    ['goes on', { step: { timeoutMs: 40, onCancel: { action: 'continue' } } }, '"action":"timeout"'],
    ['skips the rest', { step: { timeoutMs: 40, onCancel: { action: 'skip_remaining' } } }, '"action":"timeout"'],
    ['ends with its workflow', { timeoutMs: 300 }, '"isError":true'],
  ])('%s when its time is over, and is withdrawn', async (_, options, expected) => {
    const { result, withdrawn } = await observeBoth(scenario('never', options))

    expect(result).toContain(expected)
    expect(withdrawn).toBe(true)
  })

  it('CORE-E12 waits ten minutes at most, with a warning', async () => {
    const asked = scenario({ action: 'accept', content: {} }, { step: { timeoutMs: 3_600_000 } })

    expect((await observeBoth(asked)).warnings).toEqual([expect.stringContaining('"capMs":600000')])
  })
})

describe('the limits', () => {
  const lawless = { client: 'lawless' } as const

  it.each<[string, JsonSchema, string]>([
    [
      'CORE-E08 over 100 KB',
      form({}, { description: 'x'.repeat(102_400) }),
      'schema too large: 102450 bytes (max 102400)',
    ],
    ['CORE-E09 deeper than 10', nested(11), 'schema nesting too deep (max 10)'],
  ])('refuse a form %s before the user sees it', async (_, schema, expected) => {
    const { result, questions } = await observeBoth(scenario({ action: 'accept', content: {} }, { schema }))

    expect(result).toContain(expected)
    expect(questions).toEqual([])
  })

  it.each<[string, JsonObject, string]>([
    ['CORE-E10 over 1 MB', { text: 'x'.repeat(1_048_576) }, 'response content too large: 1048587 bytes (max 1048576)'],
    ['deeper than 10', nested(11), 'response content nesting too deep (max 10)'],
  ])('refuse an answer %s before a step sees it', async (_, content, expected) => {
    const { result, calls } = await observeBoth(scenario({ action: 'accept', content }, lawless))

    expect(result).toContain(expected)
    expect(calls).toEqual([])
  })

  it('let through what just fits', async () => {
    const content = { text: 'x'.repeat(1_048_576 - '{"text":""}'.length) }
    const schema = form({}, { description: 'x'.repeat(102_400 - JSON.stringify(form({}, { description: '' })).length) })

    expect((await observeBoth(scenario({ action: 'accept', content }, { ...lawless, schema }))).calls).toHaveLength(1)
    expect((await observeBoth(scenario({ action: 'accept', content: nested(10) }, lawless))).calls).toHaveLength(1)
  })
})
