import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineReader } from './line-reader.js'

function read(limit: number, chunks: readonly Buffer[]) {
  const lines: string[] = []
  const overflowing: string[] = []
  const oversized: { readonly head: string; readonly tail: string }[] = []
  const reader = new LineReader(limit, {
    line: (text) => lines.push(text),
    overflowing: (head) => overflowing.push(head),
    oversized: (line) => oversized.push(line),
  })
  for (const chunk of chunks) reader.write(chunk)
  return { lines, overflowing, oversized }
}

describe('LineReader', () => {
  it('cuts lines, without their ends and without empty ones', () => {
    expect(read(100, [Buffer.from('a\r\n\nb\nrest')]).lines).toEqual(['a', 'b'])
  })

  it('passes a line of exactly the limit and reports one beyond it', () => {
    expect(read(4, [Buffer.from('1234\n12345\nnext\n')])).toEqual({
      lines: ['1234', 'next'],
      overflowing: ['12345'],
      oversized: [{ head: '12345', tail: '12345' }],
    })
  })

  it('keeps the beginning and the end of a line that is too long', () => {
    const chunks = ['{"id":1,', 'x'.repeat(1_000), 'y'.repeat(1_000), ',"end":true}\n'].map((part) => Buffer.from(part))
    const [line] = read(100, chunks).oversized
    expect(line?.head.startsWith('{"id":1,xxx')).toBe(true)
    expect(line?.tail.endsWith('yyy,"end":true}')).toBe(true)
  })

  it('tells of a line that passes the limit once, and before it ends', () => {
    const chunks = ['abcdef', 'gh', 'ij'].map((part) => Buffer.from(part))
    expect(read(4, chunks)).toEqual({ lines: [], overflowing: ['abcdef'], oversized: [] })
  })

  it('gives the same lines however the bytes are cut', () => {
    const text = fc.array(fc.constantFrom('é', '\n', 'ab', '世', '\r\n')).map((parts) => Buffer.from(parts.join('')))
    fc.assert(
      fc.property(text, fc.array(fc.nat(16)), (bytes, cuts) => {
        const chunks: Buffer[] = []
        let start = 0
        for (const size of cuts) {
          chunks.push(bytes.subarray(start, start + size))
          start += size
        }
        chunks.push(bytes.subarray(start))
        expect(read(1_000, chunks)).toEqual(read(1_000, [bytes]))
      }),
    )
  })
})
