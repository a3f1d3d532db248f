import type { JsonSchema } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { askForm } from './ask-form.js'

/** Answers each question with the next line; no line is the end of the input. */
async function fill(requestedSchema: JsonSchema, ...answers: readonly string[]) {
  const said: string[] = []
  const left = [...answers]
  const result = await askForm(
    { message: 'Tell me.', requestedSchema },
    {
      error: (line) => void said.push(line),
      ask: (question) => {
        said.push(question)
        return Promise.resolve(left.shift())
      },
    },
  )
  return { result, said: said.join('\n') }
}

/** A form of one field, `it`. */
function form(property: JsonSchema, required = true): JsonSchema {
  return { type: 'object', properties: { it: property }, ...(required && { required: ['it'] }) }
}

describe('askForm', () => {
  it('asks field by field, with titles, descriptions and what is expected', async () => {
    const { result, said } = await fill(
      {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', description: 'As in the passport.' },
          age: { type: 'integer' },
          member: { type: 'boolean', default: true },
        },
        required: ['name'],
      },
      'Ada',
      '36',
      '',
    )
    expect(result).toEqual({ action: 'accept', content: { name: 'Ada', age: 36, member: true } })
    expect(said).toBe(`
  Tell me.
  (:decline or :cancel instead of an answer ends the form)
  As in the passport.
  Name (a text): 
  age (a whole number, optional): 
  member (yes or no, optional, default true): `)
  })

  it.each<[JsonSchema, string, unknown]>([
    [{ type: 'string' }, '5', '5'],
    [{ type: 'number' }, '-2.5', -2.5],
    [{ type: 'integer' }, '7', 7],
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'boolean' }, 'n', false],
    [{ enum: ['red', 'green'] }, 'green', 'green'],
    [{ enum: ['red', 'green'] }, '1', 'red'],
    [{ enum: ['r', 'g'], enumNames: ['Red', 'Green'] }, 'green', 'g'],
    [{ oneOf: [{ const: 'r', title: 'Red' }] }, 'red', 'r'],
    [{ enum: [3, 1] }, '1', 1],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] } }, 'c, 1', ['c', 'a']],
    [{ type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }] } }, 'ex', ['x']],
    [{ type: 'array', items: { type: 'integer' } }, '1,2', [1, 2]],
  ])('reads a field of %j from %j', async (property, line, value) => {
    expect((await fill(form(property), line)).result).toEqual({ action: 'accept', content: { it: value } })
  })

  it.each<[JsonSchema, string, string]>([
    [{ type: 'number' }, 'many', 'expected a number'],
    [{ type: 'number' }, 'Infinity', 'expected a number'],
    [{ type: 'integer' }, '1.5', 'expected a whole number'],
    [{ type: 'integer', minimum: 2 }, '1', 'expected at least 2'],
    [{ type: 'integer', maximum: 2 }, '3', 'expected at most 2'],
    [{ type: 'string', minLength: 3 }, 'ab', 'expected at least 3 characters'],
    [{ type: 'string', maxLength: 3 }, 'abcd', 'expected at most 3 characters'],
    [{ type: 'boolean' }, 'perhaps', 'expected yes or no'],
    [{ enum: ['a', 'b'] }, '3', 'expected one of: a, b'],
    [{ type: 'array', items: { enum: ['a'] } }, 'a,z', 'expected one of: a'],
    [{ type: 'string' }, ' ', 'an answer is required'],
  ])('asks again when a field of %j gets %j', async (property, line, problem) => {
    const { result, said } = await fill(form(property), line, ':decline')
    expect(said).toContain(`  ${problem}\n`)
    expect(result).toEqual({ action: 'decline' })
  })

  it('leaves out what is optional and not answered', async () => {
    expect((await fill(form({ type: 'string' }, false), '')).result).toEqual({ action: 'accept', content: {} })
  })

  it('lists the choices by number', async () => {
    const { said } = await fill(form({ enum: ['r', 'g'], enumNames: ['Red', 'Green'] }), '1')
    expect(said).toContain('    1) Red\n    2) Green\n  it (one of these): ')
  })

  it('cancels at the end of the input, and when told so', async () => {
    expect((await fill(form({ type: 'string' }))).result).toEqual({ action: 'cancel' })
    expect((await fill(form({ type: 'string' }), ':cancel')).result).toEqual({ action: 'cancel' })
  })

  it.each([
    ['a', 'accept'],
    ['Decline', 'decline'],
    [':cancel', 'cancel'],
  ])('asks for consent where there is nothing to fill in: %j', async (line, action) => {
    expect((await fill({ type: 'object' }, '', line)).result).toEqual({ action })
  })
})
