import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseUriTemplate } from './uri-template.js'

const matches = (template: string, uri: string) => parseUriTemplate(template)?.matches(uri)

describe('parseUriTemplate', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['u:1', ['u:1'], ['u:2', 'u:', 'u:11']],
    [
      'file:///logs/{date}.txt',
      ['file:///logs/2024-01-01.txt', 'file:///logs/a.b.txt'],
      ['file:///logs/a/b.txt', 'file:///logs/a'],
    ],
    ['repo://{owner}/{name}', ['repo://a/b', 'repo://a%2Fb/c'], ['repo://a', 'repo://a/b/c']],
    ['file:///{+path}', ['file:///x/y?z#w', 'file:///'], ['file://x']],
    ['u:x{#part}', ['u:x', 'u:x#a/b'], ['u:xa']],
    ['u:x{.ext}', ['u:x', 'u:x.json'], ['u:x/json']],
    ['u:x{/a,b}', ['u:x', 'u:x/1', 'u:x/1/2'], ['u:x/1/2/3', 'u:x1']],
    ['u:x{/path*}', ['u:x', 'u:x/1/2/3'], ['u:x?']],
    ['u:x{;a,b}', ['u:x', 'u:x;a=1;b=2', 'u:x;b', 'u:x;a='], ['u:x;c=1', 'u:xa']],
    [
      'u:x{?q,lang}',
      ['u:x', 'u:x?q=1&lang=de', 'u:x?lang=de', 'u:x?lang=de&q=a/b?c', 'u:x?q='],
      ['u:x?z=1', 'u:x?q', 'u:x?q=1&z=2'],
    ],
    ['u:x?fixed=1{&q}', ['u:x?fixed=1', 'u:x?fixed=1&q=2'], ['u:x?fixed=1&z=2', 'u:x?q=2']],
    ['u:x{?rest*}', ['u:x', 'u:x?a=1&b=2'], ['u:x#a']],
    ['u:{a,b}', ['u:1,2', 'u:1'], ['u:1/2']],
    ['u:{a:2}', ['u:1', 'u:12', 'u:%C3%BC'], ['u:1234567']],
    ['u:{a}{b}!', ['u:!', 'u:xy!'], ['u:xy']],
    ['u:{user-id}', ['u:someone@example.com'], ['u:a/b']],
    ['a.b:{x}', ['a.b:1'], ['aXb:1']],
  ])('%s', (template, accepted, refused) => {
    expect(accepted.filter((uri) => matches(template, uri) !== true)).toEqual([])
    expect(refused.filter((uri) => matches(template, uri) !== false)).toEqual([])
  })

  it.each([
    'u:{',
    'u:}',
    'u:{a',
    'u:a}',
    'u:{}',
    'u:{a b}',
    'u:{=a}',
    'u:{!a}',
    'u:{a,}',
    'u:{a:0}',
    'u:{a:12345}',
    'u:{{a}}',
  ])('cannot read %s', (template) => {
    expect(parseUriTemplate(template)).toBeUndefined()
  })

  it('matches every URI that a template expands to', () => {
    const value = fc.string({ unit: 'grapheme', maxLength: 8 }).map(encodeURIComponent)
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        expect(matches('u://{a}/x{/b}{?c}', `u://${a}/x/${b}?c=${c}`)).toBe(true)
      }),
    )
  })

  it('takes no time to speak of for templates and URIs that are made to take long', () => {
    const uri = `u:${'a'.repeat(8000)}`
    const many = (part: string) => `u:${part.repeat(Math.floor(2000 / part.length))}!`
    const started = performance.now()
    for (const template of ['{a}', '{+a}', '{+a}-', '{/a*}', '{a:9999}'].map(many)) {
      expect(matches(template, uri)).toBe(false)
    }
    expect(matches(`u:${`{?${'a,'.repeat(900)}b}`}`, `u:?${'a=&'.repeat(2700)}`)).toBe(false)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
