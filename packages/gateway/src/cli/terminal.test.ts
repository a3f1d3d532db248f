import { describe, expect, it } from 'vitest'
import { processTerminal } from './terminal.js'

describe('processTerminal', () => {
  it('goes on when nobody reads its output any more, and hides no other failure', () => {
    const streams = [process.stdout, process.stderr]
    const before = streams.map((stream) => stream.listenerCount('error'))
    processTerminal()
    for (const [index, stream] of streams.entries()) {
      const [added] = stream.listeners('error').slice(before[index])
      const failWith = (code: string) => () => added?.call(stream, Object.assign(new Error(code), { code }))
      expect(failWith('EPIPE')).not.toThrow()
      expect(failWith('ENOSPC')).toThrow('ENOSPC')
    }
  })
})
