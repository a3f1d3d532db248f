import { Cancelled, Identity } from '@vmcp/domain'
import type { BackendDescription } from '@vmcp/domain'
import { rejection, scriptedBackend, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })

/** A core whose backend tells what it offers when the test says so. */
function held() {
  let answer: () => void = () => undefined
  const answered = new Promise<BackendDescription>((resolve) => {
    answer = () => resolve({ capabilities: { tools: {} } })
  })
  const backend = scriptedBackend({ id: 'b1', tools: [tool('echo')], on: { describe: () => answered } })
  return { answer, backend, vmcp: createVMCP({ name: 'gateway', backends: [backend] }) }
}

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('a caller who aborts while backends are asked what they offer', () => {
  it('gets Cancelled at once, and leaves the discovery to the others who wait for it', async () => {
    const { answer, backend, vmcp } = held()
    const controller = new AbortController()
    const leaving = rejection(vmcp.callTool(alice, { name: 'b1_echo' }, { signal: controller.signal }))
    const staying = vmcp.callTool(alice, { name: 'b1_echo' })
    await settle()
    controller.abort()
    expect(await leaving).toBeInstanceOf(Cancelled)
    expect(backend.callsOf('describe').map(({ options }) => options.signal?.aborted)).toEqual([false])
    answer()
    expect(await staying).toMatchObject({ backendId: 'b1' })
    expect(backend.callsOf('describe')).toHaveLength(1)
    expect(backend.callsOf('callTool')).toHaveLength(1)
  })

  it('ends the discovery when nobody else waits for it', async () => {
    const { backend, vmcp } = held()
    const controller = new AbortController()
    const leaving = rejection(vmcp.listTools(alice, { signal: controller.signal }))
    await settle()
    controller.abort()
    expect(await leaving).toBeInstanceOf(Cancelled)
    await settle()
    expect(backend.callsOf('describe').map(({ options }) => options.signal?.aborted)).toEqual([true])
  })
})
