import { describe, expect, it } from 'vitest'

import { plainUri } from './plain-uri.js'

describe('plainUri', () => {
  it.each([
    'file:///a/b',
    'file:///a%20b/%2Fc',
    'https://host/a.b/..c/.d?x=../y#/../z',
    'res://a',
    'urn:a:b',
    'file:///logs/{date}.txt',
    'file:///{+path}',
    '',
  ])('leaves %j as it is', (uri) => {
    expect(plainUri(uri)).toBe(uri)
  })

  it.each([
    ['file:///%73ecret', 'file:///secret'],
    ['file:///public/../secret', 'file:///secret'],
    ['file:///public/%2e%2E/secret', 'file:///secret'],
    ['file:///public/..%2fsecret', 'file:///secret'],
    ['file:///public\\..\\secret', 'file:///secret'],
    ['file:///a/./b', 'file:///a/b'],
    ['file:///a/b/..', 'file:///a/'],
    ['file:///../../x', 'file:///x'],
    ['https://host/../x?q', 'https://host/x?q'],
    ['docs:a/../b', 'docs:/b'],
  ])('takes %j for %j', (uri, plain) => {
    expect(plainUri(uri)).toBe(plain)
  })

  it('does not change what it has made', () => {
    for (const uri of ['file:///%2e/%2e%2e/a/./..%5c%7E', 'a:../..', '/./.']) {
      expect(plainUri(plainUri(uri))).toBe(plainUri(uri))
    }
  })
})
