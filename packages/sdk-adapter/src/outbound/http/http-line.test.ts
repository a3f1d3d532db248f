import { Pool } from 'undici'
import { describe, expect, it } from 'vitest'
import type { HttpLineOptions } from './http-line.js'
import { HttpLine } from './http-line.js'

function line(limits: Pick<HttpLineOptions, 'maxConnections' | 'maxWaiting'>) {
  const origin = 'http://127.0.0.1:1'
  const made = new HttpLine(new Pool(origin), { origin, connectTimeoutMs: 1_000, ...limits })
  const sent: string[] = []
  const stopped: string[] = []
  const call = (name: string) => ({ send: () => void sent.push(name), stop: () => void stopped.push(name) })
  return { made, sent, stopped, call }
}

describe('HttpLine', () => {
  it('sends as many calls as it has sockets, and each other one when a sent one leaves', () => {
    const { made, sent, call } = line({ maxConnections: 2, maxWaiting: 2 })
    for (const name of ['a', 'b', 'c', 'd']) expect(made.enter(call(name))).toBe(true)
    expect(made.enter(call('e'))).toBe(false)
    expect(sent).toEqual(['a', 'b'])
    made.leave()
    expect(sent).toEqual(['a', 'b', 'c'])
    for (let place = 0; place < 3; place += 1) made.leave()
    expect(sent).toEqual(['a', 'b', 'c', 'd'])
    for (const name of ['f', 'g', 'h']) made.enter(call(name))
    expect(sent.slice(4)).toEqual(['f', 'g'])
  })

  it('forgets a call that is withdrawn, and has its room at once', () => {
    const { made, sent, call } = line({ maxConnections: 1, maxWaiting: 2 })
    const [first, second] = [call('first'), call('second')]
    for (const entering of [call('sent'), first, second]) made.enter(entering)
    made.withdraw(first)
    expect(made.enter(call('third'))).toBe(true)
    for (let place = 0; place < 3; place += 1) made.leave()
    expect(sent).toEqual(['sent', 'second', 'third'])
  })

  it('stops those that wait when it closes, and sends none of them', async () => {
    const { made, sent, stopped, call } = line({ maxConnections: 1, maxWaiting: 2 })
    for (const name of ['a', 'b', 'c']) made.enter(call(name))
    await made.close()
    made.leave()
    expect({ sent, stopped }).toEqual({ sent: ['a'], stopped: ['b', 'c'] })
  })
})
