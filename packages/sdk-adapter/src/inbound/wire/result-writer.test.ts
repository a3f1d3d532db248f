import { describe, expect, it } from 'vitest'
import { wholeText } from './json-rpc.js'
import { createResultWriter } from './result-writer.js'

const serverInfo = { name: 'vmcp', version: '1.0.0' }
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }

const asIs = (item: object) => ({ ...item })

describe('createResultWriter', () => {
  it('adds nothing for 2025-11-25', () => {
    const writer = createResultWriter('2025', serverInfo)

    expect(writer.write({ a: 1 }, 'reusable')).toBe('{"a":1}')
    expect(writer.writeList('tools', { items: [] }, asIs)).toBe('{"tools":[]}')
    expect(writer.writeList('tools', { items: [{ a: 1 }], nextCursor: 'c' }, asIs)).toBe(
      '{"tools":[{"a":1}],"nextCursor":"c"}',
    )
  })

  it('adds what 2026-07-28 requires, and our name last', () => {
    const writer = createResultWriter('2026', serverInfo)
    const forged = { 'io.modelcontextprotocol/serverInfo': { name: 'forged' }, keep: 1 }

    expect(JSON.parse(writer.write({ a: 1, _meta: forged }))).toEqual({
      resultType: 'complete',
      a: 1,
      _meta: { keep: 1, ..._meta },
    })
    const list = writer.writeList('tools', { items: [{ a: 1 }], nextCursor: 'c' }, asIs)
    expect(JSON.parse(wholeText(list))).toEqual({
      tools: [{ a: 1 }],
      nextCursor: 'c',
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta,
    })
  })

  it('serialises an item once, in whichever list it comes back', () => {
    const writer = createResultWriter('2025', serverInfo)
    const [first, second] = [{ name: 'a' }, { name: 'b' }]
    let serialised = 0
    const wire = (item: object) => {
      serialised += 1
      return { ...item }
    }

    writer.writeList('tools', { items: [first, second] }, wire)
    const filtered = writer.writeList('tools', { items: [second] }, wire)

    expect(serialised).toBe(2)
    expect(filtered).toBe('{"tools":[{"name":"b"}]}')
  })

  it('keeps kinds of lists apart, also when one empty list stands for several', () => {
    const writer = createResultWriter('2025', serverInfo)
    const items: readonly object[] = Object.freeze([])
    writer.writeList('tools', { items }, asIs)

    expect(wholeText(writer.writeList('prompts', { items }, asIs))).toBe('{"prompts":[]}')
  })

  it('encodes a frozen list once', () => {
    const writer = createResultWriter('2025', serverInfo)
    const items = Object.freeze([{ name: 'größe' }])

    const text = writer.writeList('tools', { items }, asIs)

    expect(writer.writeList('tools', { items }, asIs)).toBe(text)
    expect(wholeText(text)).toBe('{"tools":[{"name":"größe"}]}')
  })

  it('sees what was added to a list that is not frozen', () => {
    const writer = createResultWriter('2025', serverInfo)
    const items = [{ name: 'a' }]
    writer.writeList('tools', { items }, asIs)

    items.push({ name: 'b' })

    expect(writer.writeList('tools', { items }, asIs)).toBe('{"tools":[{"name":"a"},{"name":"b"}]}')
  })
})
