import { describe, expect, it } from 'vitest'
import type { EventStream, StreamEvent } from '../exchange.js'
import { ResumableStreams } from './resumable-streams.js'

describe('ResumableStreams', () => {
  it('names a place to resume from before anything is sent, to clients that understand it', () => {
    const streams = new ResumableStreams()
    const primed = connection()
    const plain = connection()

    streams.open(primed, { primed: true })
    streams.open(plain, { primed: false })

    expect(primed.events).toEqual([{ id: '1_0', data: '' }])
    expect(plain.events).toEqual([])
  })

  it('replays only the events of that stream after the last one seen, and carries on', () => {
    const streams = new ResumableStreams()
    const first = streams.open(connection(), { primed: false })
    const second = streams.open(connection(), { primed: false })
    first.send('a')
    second.send('b')
    first.send('c')
    const resumed = connection()

    expect(streams.resume('1_1', () => resumed)).toBe(true)
    first.send('d')
    first.end()

    expect(resumed.events).toEqual([
      { id: '1_2', data: 'c' },
      { id: '1_3', data: 'd' },
    ])
    expect(resumed.ended).toBe(true)
  })

  it('ends the connection that a client resumes from elsewhere', () => {
    const streams = new ResumableStreams()
    const before = connection()
    streams.open(before, { primed: false })

    streams.resume('1_0', connection)

    expect(before.ended).toBe(true)
  })

  it('gives the rest of a stream that has ended, and its end', () => {
    const streams = new ResumableStreams()
    const stream = streams.open(connection(), { primed: false })
    stream.send('answer')
    stream.end()
    const resumed = connection()

    expect(streams.resume('1_0', () => resumed)).toBe(true)

    expect(resumed.events).toEqual([{ id: '1_1', data: 'answer' }])
    expect(resumed.ended).toBe(true)
  })

  it.each(['', '2_0', '1', '1_', '1_x', '1_-1', '__proto__'])('does not know the event %j', (id) => {
    const streams = new ResumableStreams()
    streams.open(connection(), { primed: false })

    expect(streams.resume(id, connection)).toBe(false)
  })

  it('keeps a bounded amount, the latest, and sends all of it', () => {
    const streams = new ResumableStreams()
    const live = connection()
    const stream = streams.open(live, { primed: false })
    const large = 'x'.repeat(25 * 1024)
    for (let sent = 0; sent < 5; sent += 1) stream.send(large)
    const resumed = connection()

    streams.resume('1_0', () => resumed)

    expect(live.events.length).toBe(5)
    expect(resumed.events.map(({ id }) => id)).toEqual(['1_4', '1_5'])
  })

  it('forgets an ended stream of which nothing is kept', () => {
    const streams = new ResumableStreams()
    const stream = streams.open(connection(), { primed: false })
    stream.send('x'.repeat(70 * 1024))
    stream.end()

    expect(streams.resume('1_0', connection)).toBe(false)
  })
})

function connection(): EventStream & { readonly events: StreamEvent[]; ended: boolean } {
  const events: StreamEvent[] = []
  return {
    events,
    ended: false,
    send: (event) => {
      events.push(event)
    },
    end() {
      this.ended = true
    },
  }
}
