import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { startChild, stopChild } from './child.js'

/** A program that only SIGKILL ends. */
const stubborn = {
  command: process.execPath,
  args: ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.stdout.write("up")'],
}

/** What has begun to listen for the exit of this process meanwhile. */
async function exitListenersAddedBy<Result>(start: () => Promise<Result>) {
  const before = new Set(process.listeners('exit'))
  const result = await start()
  return { result, added: process.listeners('exit').filter((listener) => !before.has(listener)) }
}

describe('startChild', () => {
  it('kills what still runs when this process exits', async () => {
    const { result: child, added } = await exitListenersAddedBy(() => startChild(stubborn))
    await once(child.stdout, 'data')
    expect(added).toHaveLength(1)
    for (const listener of added) listener(0)
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  })

  it('listens once for many processes, and no longer than they run', async () => {
    const before = process.listenerCount('exit')
    const children = await Promise.all([startChild(stubborn), startChild(stubborn)])
    expect(process.listenerCount('exit')).toBe(before + 1)
    await Promise.all(children.map((child) => stopChild(child, { inputEndMs: 0, terminateMs: 50 })))
    expect(process.listenerCount('exit')).toBe(before)
  })
})
