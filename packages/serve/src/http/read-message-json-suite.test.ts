import type { VMCP } from '@vmcp/domain'
import { jsonTestSuite } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import type { Headers } from '../testing/wire.js'
import { messagesOf, openSession } from '../testing/wire.js'

// JSONTestSuite has texts that are JSON (y_), texts that are not (n_), and texts of which a parser may decide (i_). Most of them
// are lists, and a list is a batch whatever follows. So that every one reaches the parser, each is sent twice: as the body,
// and as an argument of a call.

const suite = jsonTestSuite()
const [isJson, isNotJson, isOpen] = ['y_', 'n_', 'i_'].map((start) =>
  suite.filter(({ name }) => name.startsWith(start)),
)

describe('a request body of JSONTestSuite', () => {
  it('REL-H1 is refused as a batch when it begins as a list, JSON or not', async () => {
    const lists = suite.filter(({ bytes }) => isList(bytes))
    expect(lists.length).toBe(236)
    expect(await outcomes(lists, asBody)).toEqual(all(lists, 'refused with -32600'))
  })

  it('REL-H1 is a parse error when it is not JSON', async () => {
    const texts = isNotJson?.filter(({ bytes }) => !isList(bytes)) ?? []
    expect(texts.length).toBe(58)
    expect(await outcomes(texts, asBody)).toEqual(all(texts, 'refused with -32700'))
  })

  it('REL-H1 is an invalid request when it is JSON, and no message', async () => {
    const texts = isJson?.filter(({ bytes }) => !isList(bytes)) ?? []
    expect(texts.length).toBe(20)
    expect(await outcomes(texts, asBody)).toEqual(all(texts, 'refused with -32600'))
  })
})

describe('an argument of JSONTestSuite', () => {
  it('REL-H1 makes a parse error when it is not JSON', async () => {
    expect(isNotJson?.length).toBe(188)
    expect(await outcomes(isNotJson ?? [], asArgument)).toEqual(all(isNotJson ?? [], 'refused with -32700'))
  })

  it('REL-H1 reaches the tool as what it says when it is JSON', async () => {
    const expected = isJson?.map(({ name, bytes }) => [name, `read as ${JSON.stringify(JSON.parse(`${bytes}`))}`]) ?? []
    expect(expected.length).toBe(95)
    expect(await outcomes(isJson ?? [], asArgument)).toEqual(Object.fromEntries(expected))
  })

  it('REL-H1 that a parser may decide of is refused unless it can be passed on as it is', async () => {
    const answers = await outcomes(isOpen ?? [], asArgument)

    expect(Object.values(answers).filter((answer) => answer === 'refused with -32700')).toHaveLength(15)
    for (const [name, answer] of Object.entries(answers)) {
      if (changedNumbers.includes(name)) expect(answer, name).toBe('refused with -32600')
      else if (kept.includes(name)) expect(answer, name).toMatch(/^read as /)
      else expect(answer, name).toBe('refused with -32700') // Not UTF-8, with a byte order mark, or 500 levels deep.
    }
  })
})

/** Numbers that a backend would get as others. */
const changedNumbers = [
  'i_number_huge_exp',
  'i_number_neg_int_huge_exp',
  'i_number_pos_double_huge_exp',
  'i_number_real_neg_overflow',
  'i_number_real_pos_overflow',
  'i_number_too_big_neg_int',
  'i_number_very_big_negative_int',
]

/** An integer that JavaScript has, fractions that it rounds, and escapes of half a character, which it writes as they came. */
const kept = [
  'i_number_double_huge_neg_exp',
  'i_number_real_underflow',
  'i_number_too_big_pos_int',
  ...(isOpen ?? []).map(({ name, bytes }) => (/\\u/.test(bytes.toString('latin1')) ? name : '')),
]

function isList(bytes: Buffer): boolean {
  return /^[ \t\n\r]*\[/.test(bytes.toString('latin1'))
}

function all(cases: typeof suite, outcome: string): Readonly<Record<string, string>> {
  return Object.fromEntries(cases.map(({ name }) => [name, outcome]))
}

function asBody(bytes: Buffer): Buffer {
  return bytes
}

function asArgument(bytes: Buffer): Buffer {
  const start = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"value":'
  return Buffer.concat([Buffer.from(start), bytes, Buffer.from('}}}')])
}

/** What came of each text, by name. */
async function outcomes(
  cases: typeof suite,
  bodyOf: (bytes: Buffer) => Buffer,
): Promise<Readonly<Record<string, string>>> {
  const server = await startServer({ callTool: echo })
  const { headers } = await openSession(server)
  const found: [string, string][] = []
  for (const { name, bytes } of cases) {
    const response = await fetch(server.url, {
      method: 'POST',
      body: bodyOf(bytes),
      headers: { ...accepted, ...headers },
    })
    const [answer] = await messagesOf(response)
    const { error, result } = answer ?? {}
    found.push([name, error === undefined ? `read as ${result?.content[0].text}` : `refused with ${error.code}`])
  }
  return Object.fromEntries(found)
}

const accepted: Headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const echo: VMCP['callTool'] = async (_identity, request) => ({
  content: [{ type: 'text', text: JSON.stringify(request.arguments?.['value']) }],
})
