import { BackendRejected, BackendTimeout, BackendUnavailable } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import { aggregate, findingsOf } from './test-support/aggregate.js'
import { inPages, scriptedBackend, toolNamed } from './test-support/scripted-backend.js'

const down = (id: string) =>
  scriptedBackend(id, { client: { describe: () => Promise.reject(new BackendUnavailable(id, 'unreachable')) } })

describe('lists of a backend', () => {
  it('AGG-Q04 case 06: follows the pages to the end', async () => {
    const view = await aggregate([
      scriptedBackend('b', {
        prompts: ['p'],
        client: {
          listTools: inPages(['ab', 'cd', 'ef'].map((pair) => [...pair].map((name) => toolNamed(name)))),
          listPrompts: inPages([[{ name: 'p1' }], [{ name: 'p2' }]]),
        },
      }),
    ])
    expect([...view.tools.keys()]).toEqual(['b_a', 'b_b', 'b_c', 'b_d', 'b_e', 'b_f'])
    expect([...view.prompts.keys()]).toEqual(['b_p1', 'b_p2'])
  })

  it('AGG-Q05 leaves out a list whose cursor repeats, and says so', async () => {
    const view = await aggregate([
      scriptedBackend('b', {
        prompts: ['p'],
        client: { listTools: () => Promise.resolve({ items: [toolNamed('x')], nextCursor: 'same' }) },
      }),
    ])
    expect(view.tools.size).toBe(0)
    expect(view.prompts.size).toBe(1)
    expect(findingsOf(view, 'list-failed')[0]?.message).toContain('pagination cursor "same" repeated')
  })

  it('fails an endless list after 10 000 pages', async () => {
    let pages = 0
    const endless = scriptedBackend('b', {
      client: { listTools: () => Promise.resolve({ items: [], nextCursor: String(pages++) }) },
    })
    await expect(aggregate([endless])).rejects.toMatchObject({
      cause: { message: expect.stringContaining('pagination exceeded 10000 pages') },
    })
    expect(pages).toBe(10_000)
  })

  it('takes an empty cursor for a cursor', async () => {
    const view = await aggregate([
      scriptedBackend('b', {
        client: {
          listTools: (_identity, { cursor }) =>
            Promise.resolve(
              cursor === undefined ? { items: [toolNamed('x')], nextCursor: '' } : { items: [toolNamed('y')] },
            ),
        },
      }),
    ])
    expect([...view.tools.keys()]).toEqual(['b_x', 'b_y'])
  })

  it('ends a list that answers an empty cursor with an empty cursor', async () => {
    const view = await aggregate([
      scriptedBackend('b', {
        client: { listTools: () => Promise.resolve({ items: [toolNamed('x')], nextCursor: '' }) },
      }),
    ])
    expect([...view.tools.keys()]).toEqual(['b_x'])
    expect(view.report.findings).toEqual([])
  })

  it('case 06: never shows half of a list whose later page fails; the other lists are served', async () => {
    const pages = inPages([[toolNamed('a')], [toolNamed('b')], []])
    const view = await aggregate([
      scriptedBackend('b', {
        prompts: ['p'],
        client: {
          listTools: (identity, page) =>
            page.cursor === '2' ? Promise.reject(new BackendTimeout('b', 1)) : pages(identity, page),
        },
      }),
    ])
    expect(view.tools.size).toBe(0)
    expect([...view.prompts.keys()]).toEqual(['b_p'])
    expect(findingsOf(view, 'list-failed')).toMatchObject([{ kind: 'tool', backendId: 'b' }])
  })

  it('asks only for announced kinds', async () => {
    const asked: string[] = []
    const note = (list: string) => () => {
      asked.push(list)
      return Promise.resolve({ items: [] })
    }
    await aggregate([
      scriptedBackend('b', {
        capabilities: { resources: {} },
        client: {
          listTools: note('tools'),
          listPrompts: note('prompts'),
          listResources: note('resources'),
          listResourceTemplates: note('templates'),
        },
      }),
    ])
    expect(asked.sort()).toEqual(['resources', 'templates'])
  })

  it('case 22: serves the tools of a backend that announces nothing', async () => {
    const view = await aggregate([scriptedBackend('b', { capabilities: {}, tools: ['x'] })])
    expect([...view.tools.keys()]).toEqual(['b_x'])
  })

  it('case 22: takes a backend that announces nothing and has nothing for empty', async () => {
    const empty = scriptedBackend('b', {
      capabilities: {},
      client: { listTools: () => Promise.reject(new BackendRejected('b', { code: -32601, message: 'no' })) },
    })
    const view = await aggregate([empty], { partialFailureMode: 'fail' })
    expect(view.report.findings).toEqual([])
  })

  it('case 22: takes an announced list that the backend does not know for empty, with one finding each', async () => {
    const unknown = () => Promise.reject(new BackendRejected('b', { code: -32601, message: 'Method not found' }))
    const view = await aggregate([
      scriptedBackend('b', {
        tools: ['x'],
        capabilities: { tools: {}, resources: {}, prompts: {} },
        client: { listResources: unknown, listPrompts: () => Promise.reject(new BackendUnavailable('b', 'http')) },
      }),
    ])
    expect([...view.tools.keys()]).toEqual(['b_x'])
    expect(findingsOf(view, 'list-failed').map(({ kind }) => kind)).toEqual(['prompt', 'resource'])
  })

  it('fails a backend all of whose lists fail', async () => {
    const failing = scriptedBackend('b', { client: { listTools: () => Promise.reject(new BackendTimeout('b', 5)) } })
    const view = await aggregate([failing, scriptedBackend('a', { tools: ['x'] })])
    expect(findingsOf(view, 'backend-failed')).toMatchObject([{ subject: 'b' }])
  })

  it('case 19: turns whatever a client throws into an unavailable backend', async () => {
    const broken = scriptedBackend('b', {
      client: { describe: () => Promise.reject(new TypeError('no capabilities')) },
    })
    const view = await aggregate([broken, down('c'), scriptedBackend('a', { tools: ['x'] })])
    expect([...view.tools.keys()]).toEqual(['a_x'])
    expect(findingsOf(view, 'backend-failed').map(({ message }) => message)).toEqual([
      'the backend gave no lists: backend unavailable: b (protocol)',
      'the backend gave no lists: backend unavailable: c (unreachable)',
    ])
  })

  it('survives answers that no client should give', async () => {
    const odd = (client: object) => scriptedBackend('b', { client: client as never })
    const nothing = () => Promise.resolve(undefined)
    for (const backend of [odd({ describe: nothing }), odd({ listTools: nothing }), odd({ listTools: () => ({}) })]) {
      const view = await aggregate([backend, scriptedBackend('a', { tools: ['x'] })])
      expect([...view.tools.keys()]).toEqual(['a_x'])
      expect(view.report.findings).toMatchObject([{ reason: 'backend-failed', backendId: 'b' }])
    }
    const nameless = odd({ listTools: () => Promise.resolve({ items: [{}, null, toolNamed('x')] }) })
    const view = await aggregate([nameless])
    expect([...view.tools.keys()]).toEqual(['b_x'])
    expect(findingsOf(view, 'list-failed')).toHaveLength(1)
  })

  it('shows nothing of what a backend wrote into its errors', async () => {
    const rude = scriptedBackend('b', {
      client: { describe: () => Promise.reject(new BackendRejected('b', { code: -32000, message: 'secret' })) },
    })
    const view = await aggregate([rude, scriptedBackend('a', { tools: ['x'] })])
    expect(JSON.stringify(view.report)).not.toContain('secret')
  })
})
