import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact, stringifyMessage } from './exact-json.js'

type Tree = { readonly [key: string]: Tree } & readonly Tree[]

const parse = (text: string) => parseExact(text) as Tree

describe('parseExact', () => {
  it('gives plain numbers to all who read them', () => {
    const { id, list } = parse('{"id":9007199254740993,"list":[1e400,-1]}')
    expect(id).toBe(9007199254740992)
    expect([...list!]).toEqual([Infinity, -1])
    expect(JSON.stringify(parse('{"id":9007199254740993}'))).toBe('{"id":9007199254740992}')
  })

  it('shows what it remembers to nobody', () => {
    const value = parse('{"a":{"id":9007199254740993}}')
    expect(Object.keys(value['a']!)).toEqual(['id'])
    expect(structuredClone(value)).toEqual({ a: { id: 9007199254740992 } })
  })

  it.each(['', '{', '{"a":9007199254740993', '[1e400,]', '09007199254740993'])(
    'refuses %j as JSON.parse does',
    (text) => {
      const message = (act: () => unknown) => {
        try {
          return act()
        } catch (error) {
          return String(error)
        }
      }
      expect(message(() => parseExact(text))).toBe(message(() => JSON.parse(text)))
    },
  )
})

describe('stringifyExact', () => {
  const texts = [
    '{"id":9007199254740993}',
    '[-9007199254740993,[123456789012345678901234567890]]',
    '{"deep":[{"a":{"b":1e400}}],"text":"9007199254740993"}',
    '{"id":9007199254740993,"other":1,"float":0.1}',
    '{"":9007199254740993}',
    '{"__proto__":{"id":9007199254740993}}',
  ]
  it.each(texts)('writes %s as it came', (text) => expect(stringifyExact(parseExact(text))).toBe(text))

  it('writes what is below a copy as it came', () => {
    const result = parse('{"drop":1,"structuredContent":{"id":9007199254740993},"n":1e400}')
    const { drop: _drop, ...kept } = result
    expect(stringifyExact({ ...kept, content: [] })).toBe(
      '{"structuredContent":{"id":9007199254740993},"n":1e400,"content":[]}',
    )
  })

  it('writes a number that replaced another one', () => {
    expect(stringifyExact({ ...parse('{"id":9007199254740993}'), id: 5 })).toBe('{"id":5}')
  })

  it('writes the last of two numbers of one name', () => {
    expect(stringifyExact(parseExact('{"id":9007199254740993,"id":9007199254740995}'))).toBe('{"id":9007199254740995}')
    expect(stringifyExact(parseExact('{"id":9007199254740993,"id":2}'))).toBe('{"id":2}')
  })

  it('is JSON.stringify for everything else', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = parseExact(text)
        expect(value).toEqual(JSON.parse(text))
        expect(stringifyExact(value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('keeps every integer of whatever it is in', () => {
    const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String)
    const text = fc.letrec<{ tree: string; leaf: string }>((tie) => ({
      leaf: fc.oneof(
        integer,
        fc.string().map((value) => JSON.stringify(value)),
        fc.constant('null'),
      ),
      tree: fc.oneof(
        { maxDepth: 4 },
        tie('leaf'),
        fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        fc
          .dictionary(
            fc.string({ minLength: 1 }).filter((key) => !/^\d+$/.test(key)),
            tie('tree'),
            { maxKeys: 4 },
          )
          .map(
            (items) =>
              `{${Object.entries(items)
                .map(([key, item]) => `${JSON.stringify(key)}:${item}`)
                .join(',')}}`,
          ),
      ),
    })).tree
    fc.assert(fc.property(text, (json) => stringifyExact(parseExact(`[${json}]`)) === `[${json}]`))
  })
})

describe('stringifyMessage', () => {
  it('writes what came of a backend within a message of ours', () => {
    const data = parse('{"id":9007199254740993}')
    expect(stringifyMessage({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no', data } })).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no","data":{"id":9007199254740993}}}',
    )
  })
})
