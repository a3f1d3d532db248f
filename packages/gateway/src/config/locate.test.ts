import { LineCounter, parseDocument } from 'yaml'
import { describe, expect, it } from 'vitest'
import { formatPath, locate, parsePath } from './locate.js'

const source = `name: demo
backends:
  - name: one
    url: ftp://one
  - name: two
`
const lines = new LineCounter()
const document = parseDocument(source, { lineCounter: lines })

describe('locate', () => {
  it('finds a value', () => {
    expect(locate(document, lines, ['backends', 0, 'url'])).toEqual({ line: 4, column: 10 })
  })

  it('finds a key', () => {
    expect(locate(document, lines, ['backends', 0, 'url'], 'key')).toEqual({ line: 4, column: 5 })
  })

  it('finds the entry that lacks a field', () => {
    expect(locate(document, lines, ['backends', 1, 'url'])).toEqual({ line: 5, column: 5 })
  })

  it('finds the start of the file when nothing of the path is there', () => {
    expect(locate(document, lines, ['aggregation', 'tools'])).toEqual({ line: 1, column: 1 })
  })
})

describe('formatPath', () => {
  it.each([
    [['backends', 1, 'url'], 'backends[1].url'],
    [['outgoingAuth', 'backends', 'git.hub'], 'outgoingAuth.backends["git.hub"]'],
    [[], ''],
  ])('writes %j as %s, and parsePath reads it back', (path, written) => {
    expect(formatPath(path)).toBe(written)
    expect(parsePath(written)).toEqual(path)
  })
})
