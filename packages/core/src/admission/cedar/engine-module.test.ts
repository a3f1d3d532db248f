import { describe, expect, it, vi } from 'vitest'

const setFlagsFromString = vi.hoisted(() => vi.fn())
vi.mock('node:v8', () => ({ setFlagsFromString }))

describe('the Cedar engine', () => {
  // Measured outside of tests: without the flag, Node 20.20 dies after some 3000 decisions about different callers.
  it('turns off what makes V8 of Node 20 and 22 end the process', async () => {
    await import('./engine-module.js')
    const isOld = Number.parseInt(process.versions.v8, 10) < 13
    expect(setFlagsFromString.mock.calls).toEqual(isOld ? [['--no-turbo-inline-js-wasm-calls']] : [])
  })
})
