import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { lineAsker } from './line-asker.js'

/** A terminal that is typed at by the test. */
function typedAt() {
  const input = new PassThrough()
  const output = new PassThrough()
  return { input, ask: lineAsker({ input, output }), shown: () => String(output.read() ?? '') }
}

describe('lineAsker', () => {
  it('shows the question and gives the line, one after the other', async () => {
    const { input, ask, shown } = typedAt()
    const first = ask('Name? ')
    input.write('Ada\r')
    expect(await first).toBe('Ada')
    expect(shown()).toContain('Name? ')
    const second = ask('Age? ')
    input.write('36\r')
    expect(await second).toBe('36')
  })

  it('gives nothing at the end of the input', async () => {
    const { input, ask } = typedAt()
    const answer = ask('Name? ')
    input.end()
    expect(await answer).toBeUndefined()
  })

  it('gives nothing for Ctrl-D', async () => {
    const { input, ask } = typedAt()
    const answer = ask('Name? ')
    input.write('\x04')
    expect(await answer).toBeUndefined()
  })

  it('gives nothing when the question is withdrawn, before or while it is open', async () => {
    const { ask, shown } = typedAt()
    const withdrawn = new AbortController()
    const answer = ask('Name? ', { signal: withdrawn.signal })
    withdrawn.abort()
    expect(await answer).toBeUndefined()
    shown()
    expect(await ask('Again? ', { signal: withdrawn.signal })).toBeUndefined()
    expect(shown()).not.toContain('Again?')
  })
})
