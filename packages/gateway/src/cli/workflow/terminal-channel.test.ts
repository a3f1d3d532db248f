import { Cancelled, ClientCapabilityMissing } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import type { Terminal } from '../terminal.js'
import { terminalChannel } from './terminal-channel.js'
import { takeTurns } from './turns.js'

const silent: Terminal = {
  environment: {},
  out: () => {},
  error: () => {},
  untilStopped: () => new Promise(() => {}),
}

function channelOf(terminal: Terminal) {
  return terminalChannel(terminal, takeTurns(terminal), () => {})
}

const form = { type: 'object', properties: { name: { type: 'string' } } }

describe('terminalChannel', () => {
  it('declares no elicitation where nobody can be asked', () => {
    const channel = channelOf(silent)
    expect(channel.capabilities).toEqual({})
    expect(channel.elicitation).toBeUndefined()
    expect(channel.forward).toBeUndefined()
  })

  it('answers a form of a workflow, and one that a backend sends', async () => {
    const channel = channelOf({ ...silent, ask: () => Promise.resolve('Ada') })
    const answer = { action: 'accept', content: { name: 'Ada' } }
    const request = { message: 'Who?', requestedSchema: form }
    expect(await channel.elicitation?.requestElicitation(request)).toEqual(answer)
    expect(await channel.forward?.({ method: 'elicitation/create', params: request })).toEqual(answer)
  })

  it.each([
    ['elicitation/create', { mode: 'url', url: 'https://example.com' }],
    ['sampling/createMessage', {}],
    ['roots/list', {}],
  ])('refuses %s with %j, which it did not declare', async (method, params) => {
    const channel = channelOf({ ...silent, ask: () => Promise.resolve('Ada') })
    await expect(channel.forward?.({ method, params })).rejects.toThrow(ClientCapabilityMissing)
  })

  it('rejects a question that is withdrawn while it is open', async () => {
    const withdrawn = new AbortController()
    const ask = () => {
      withdrawn.abort()
      return Promise.resolve(undefined)
    }
    const { elicitation } = channelOf({ ...silent, ask })
    const answer = elicitation?.requestElicitation(
      { message: 'Who?', requestedSchema: form },
      { signal: withdrawn.signal },
    )
    await expect(answer).rejects.toThrow(Cancelled)
  })

  it('does not open a question that was withdrawn before its turn', async () => {
    const asked: string[] = []
    const { elicitation } = channelOf({ ...silent, error: (line) => void asked.push(line), ask: async () => 'Ada' })
    const answer = elicitation?.requestElicitation(
      { message: 'Who?', requestedSchema: form },
      { signal: AbortSignal.abort() },
    )
    await expect(answer).rejects.toThrow(Cancelled)
    expect(asked).toEqual([])
  })
})
