import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ServerSentEvent } from './sse-parser.js'
import { SseParser } from './sse-parser.js'

function parse(chunks: readonly Uint8Array[]): { readonly events: ServerSentEvent[]; readonly retries: number[] } {
  const events: ServerSentEvent[] = []
  const retries: number[] = []
  const parser = new SseParser({ event: (event) => events.push(event), retry: (wait) => retries.push(wait) })
  for (const chunk of chunks) parser.write(chunk)
  parser.end()
  return { events, retries }
}

const whole = (stream: string) => parse([Buffer.from(stream)])

describe('SseParser', () => {
  it('reads type, data and id of an event', () => {
    expect(whole('event: message\nid: 7\ndata: a\ndata:b\n\n').events).toEqual([
      { type: 'message', data: 'a\nb', id: '7' },
    ])
  })

  it('calls an event without a type a message', () => {
    expect(whole('data: x\n\n').events).toEqual([{ type: 'message', data: 'x' }])
  })

  it('reports an id without data, and nothing for a comment', () => {
    expect(whole(': keep-alive\n\nid: 1\ndata\n\n').events).toEqual([{ type: 'message', data: '', id: '1' }])
  })

  it('reports how long to wait before a reconnection', () => {
    expect(whole('retry: 500\n\nretry: soon\n\n').retries).toEqual([500])
  })

  it('strips a byte order mark and one leading space only', () => {
    expect(whole('\ufeffdata:  two spaces\n\n').events).toEqual([{ type: 'message', data: ' two spaces' }])
  })

  it('delivers a last event without its blank line', () => {
    expect(whole('data: x').events).toEqual([{ type: 'message', data: 'x' }])
  })

  it('gives the same events however the bytes are cut', () => {
    const line = fc.constantFrom('data: a', 'data: é世🙂', 'id: 3', 'event: e', ': c', '', 'retry: 9', 'data')
    const end = fc.constantFrom('\n', '\r\n', '\r')
    const stream = fc
      .array(fc.tuple(line, end))
      .map((lines) => lines.map((parts) => parts.join('')).join(''))
      .map((text) => Buffer.from(text))
    fc.assert(
      fc.property(stream, fc.array(fc.nat(64)), (bytes, cuts) => {
        const chunks: Uint8Array[] = []
        let start = 0
        for (const size of cuts) {
          chunks.push(bytes.subarray(start, start + size))
          start += size
        }
        chunks.push(bytes.subarray(start))
        expect(parse(chunks)).toEqual(parse([bytes]))
      }),
    )
  })
})
