import { describe, expect, it } from 'vitest'

import { aggregate, findingsOf } from '../test-support/aggregate.js'
import { scriptedBackend } from '../test-support/scripted-backend.js'

const owners = (map: ReadonlyMap<string, { readonly route: { readonly backendId: string } }>) =>
  [...map].map(([uri, { route }]) => `${uri} ${route.backendId}`)

describe('resources', () => {
  it('AGG-R01 with one URI are served by the first backend by id', async () => {
    const backends = ['beta', 'alpha'].map((id) => scriptedBackend(id, { resources: ['file:///readme'] }))
    const view = await aggregate(backends)
    expect(owners(view.resources)).toEqual(['file:///readme alpha'])
    expect(view.resources.get('file:///readme')?.item.backendId).toBe('alpha')
  })

  it('AGG-R02 of three backends go to the first as well, and the others are reported', async () => {
    const view = await aggregate(['b3', 'b1', 'b2'].map((id) => scriptedBackend(id, { resources: ['u:1'] })))
    expect(owners(view.resources)).toEqual(['u:1 b1'])
    expect(findingsOf(view, 'lost-conflict').map(({ backendId }) => backendId)).toEqual(['b2', 'b3'])
  })

  it('AGG-R03 that a backend lists twice count as they came first', async () => {
    const resources = ['first', 'second'].map((name) => ({ uri: 'u:1', name }))
    const view = await aggregate([scriptedBackend('b', { resources })])
    expect([...view.resources.values()].map(({ item }) => item.name)).toEqual(['first'])
  })

  it('AGG-R05 may be more than a thousand', async () => {
    const uris = Array.from({ length: 1100 }, (_, index) => `u:${index}`)
    const view = await aggregate([scriptedBackend('b', { resources: [...uris, 'u:999', 'u:1000'] })])
    expect(view.resources.size).toBe(1100)
  })

  it('case 05: keep their URIs, which are unique, ordered and readable again', async () => {
    const view = await aggregate([
      scriptedBackend('b1', { resources: ['config://info'], templates: ['repo://{owner}/{name}'] }),
      scriptedBackend('b2', { resources: ['ui://widget/app.html', 'config://info'] }),
    ])
    expect(owners(view.resources)).toEqual(['config://info b1', 'ui://widget/app.html b2'])
    expect([...view.resources.keys()].every((uri) => URL.canParse(uri))).toBe(true)
  })
})

describe('resource templates', () => {
  it('AGG-R04 of one text are served by the first backend by id', async () => {
    const view = await aggregate(['b2', 'b1'].map((id) => scriptedBackend(id, { templates: ['u:{x}', 'u:{a}'] })))
    expect(owners(view.templates)).toEqual(['u:{a} b1', 'u:{x} b1'])
  })

  it('that cannot be read are listed and reported', async () => {
    const view = await aggregate([scriptedBackend('b', { templates: ['u:{x'] })])
    expect([...view.templates.keys()]).toEqual(['u:{x'])
    expect(view.report.findings).toMatchObject([{ reason: 'invalid-schema', kind: 'template', subject: 'u:{x' }])
  })
})
