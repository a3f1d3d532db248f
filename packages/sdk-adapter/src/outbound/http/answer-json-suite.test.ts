import type { JsonTestCase } from '@vmcp/testing'
import { jsonTestSuite } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { stringifyExact } from '../../json/exact-json.js'
import type { WireFault } from '../wire-failure.js'
import { faultOf } from '../wire-failure.js'
import { parseMessage, readJsonAnswer } from './answer-reader.js'

// JSONTestSuite has texts that are JSON (y_), texts that are not (n_), and texts of which a parser may decide (i_).

const limits = { maxMessageBytes: 1_000_000, maxDepth: 200 }
const notJson = { kind: 'protocol', detail: 'the answer is not JSON', violation: 'not-json-rpc' } as const
const tooDeep = { kind: 'protocol', detail: 'the answer is nested deeper than 200 levels' } as const

describe('parseMessage', () => {
  it('REL-B4 refuses each text of JSONTestSuite that is not JSON, and says so', () => {
    const texts = casesOf('n_')
    expect(texts.length).toBe(188)
    expect(texts.map((text) => [text.name, attempt(text)])).toEqual(texts.map(({ name }) => [name, notJson]))
  })

  it('reads each text of JSONTestSuite that is JSON as JSON.parse does, and writes it as it came', () => {
    const texts = casesOf('y_')
    expect(texts.length).toBe(95)
    for (const text of texts) {
      const value: unknown = JSON.parse(textOf(text))
      expect(attempt(text), text.name).toEqual({ value })
      expect(stringifyExact(parseMessage(textOf(text), limits)), text.name).toBe(JSON.stringify(value))
    }
  })

  it('REL-B4 reads or refuses each text of JSONTestSuite that a parser may decide of', () => {
    const refused = casesOf('i_').flatMap((text) => {
      const came = attempt(text)
      return came !== undefined && 'value' in came ? [] : [[text.name, came]]
    })
    expect(refused).toEqual([
      ['i_string_UTF-16LE_with_BOM', notJson],
      ['i_string_utf16BE_no_BOM', notJson],
      ['i_string_utf16LE_no_BOM', notJson],
      ['i_structure_500_nested_arrays', tooDeep],
      ['i_structure_UTF-8_BOM_empty_object', notJson],
    ])
  })

  it.each([
    '[100000000000000000001]',
    '[-123123123123123123123123123123]',
    '[-237462374673276894279832749832423479823246327846]',
    '[1.5e+9999]',
    '[-1e+9999]',
    '[123123e100000]',
  ])('keeps the number of %s, which JavaScript does not have', (text) => {
    expect(stringifyExact(parseMessage(text, limits))).toBe(text)
  })

  it('REL-B4 refuses a text that is nested too deep, with a number in it that JavaScript does not have', () => {
    const text = `${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}`
    expect(faultOf(failure(() => parseMessage(text, limits)))).toEqual(tooDeep)
  })
})

describe('readJsonAnswer', () => {
  it('REL-B4 takes no text of JSONTestSuite for an answer', () => {
    for (const text of jsonTestSuite()) {
      const read = () => readJsonAnswer(textOf(text), { id: 1 }, { limits, listener: deaf })
      expect(faultOf(failure(read)), text.name).toMatchObject({ kind: 'protocol' })
    }
  })
})

function casesOf(start: string): readonly JsonTestCase[] {
  return jsonTestSuite().filter(({ name }) => name.startsWith(start))
}

/** The body of an answer as it is read: what is not UTF-8 becomes U+FFFD. */
function textOf({ bytes }: JsonTestCase): string {
  return bytes.toString('utf8')
}

function attempt(text: JsonTestCase): { readonly value: unknown } | WireFault | undefined {
  try {
    return { value: parseMessage(textOf(text), limits) }
  } catch (error) {
    return faultOf(error)
  }
}

function failure(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

const deaf = {
  answer: () => expect.unreachable(),
  incoming: () => expect.unreachable(),
}
