import { describe, expect, it } from 'vitest'
import { takeTurns } from './turns.js'

describe('takeTurns', () => {
  it('holds progress back while a question is open', async () => {
    const lines: string[] = []
    const turns = takeTurns({ error: (line) => void lines.push(line) })
    turns.tell('before')
    await turns.talk(async () => {
      turns.tell('during')
      lines.push('question')
    })
    turns.tell('after')
    expect(lines).toEqual(['before', 'question', 'during', 'after'])
  })

  it('asks one question after the other, also after one that failed', async () => {
    const lines: string[] = []
    const turns = takeTurns({ error: (line) => void lines.push(line) })
    const talk = (name: string) =>
      turns.talk(async () => {
        lines.push(`${name} starts`)
        await Promise.resolve()
        lines.push(`${name} ends`)
      })
    const failing = turns.talk(() => Promise.reject(new Error('no')))
    const both = [talk('one'), talk('two')]
    await expect(failing).rejects.toThrow('no')
    await Promise.all(both)
    expect(lines).toEqual(['one starts', 'one ends', 'two starts', 'two ends'])
  })
})
