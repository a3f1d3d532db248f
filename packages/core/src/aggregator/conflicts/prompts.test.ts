import { describe, expect, it } from 'vitest'

import { aggregate, findingsOf, promptRoutes } from '../test-support/aggregate.js'
import { scriptedBackend } from '../test-support/scripted-backend.js'

const offering = (prompts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(prompts).map(([id, names]) => scriptedBackend(id, { prompts: names }))
const priority = (...priorityOrder: string[]) => ({
  aggregation: { conflictResolution: { strategy: 'priority', priorityOrder } as const },
})

describe('prompts', () => {
  it('AGG-P01 are prefixed with the id of their backend', async () => {
    const view = await aggregate(offering({ b1: ['review'], b2: ['summarize'] }))
    expect(promptRoutes(view)).toEqual(['b1_review -> b1/review', 'b2_summarize -> b2/summarize'])
  })

  it('AGG-P02 are prefixed even when their own name looks prefixed', async () => {
    const view = await aggregate(offering({ b1: ['review'], b2: ['b1_review'], b3: ['review'] }))
    expect([...view.prompts.keys()]).toEqual(['b1_review', 'b2_b1_review', 'b3_review'])
  })

  it('AGG-P03 that a backend lists twice count once', async () => {
    const view = await aggregate(offering({ solo: ['dup', 'dup'] }))
    expect(promptRoutes(view)).toEqual(['solo_dup -> solo/dup'])
    expect(findingsOf(view, 'lost-conflict')).toHaveLength(1)
  })

  it('AGG-P04 that arrive at one name are all dropped', async () => {
    const view = await aggregate(offering({ b1: ['x_y', 'safe'], b1_x: ['y'] }))
    expect(promptRoutes(view)).toEqual(['b1_safe -> b1/safe'])
    expect(findingsOf(view, 'lost-conflict').map(({ backendId }) => backendId)).toEqual(['b1', 'b1_x'])
  })

  it('AGG-P05 are dropped by three backends as by two', async () => {
    const view = await aggregate(offering({ b1: ['x_y_z'], b1_x: ['y_z'], b1_x_y: ['z', 'safe'] }))
    expect([...view.prompts.keys()]).toEqual(['b1_x_y_safe'])
  })

  it('AGG-P06 of a ranked backend give way when an unranked one arrives at their name', async () => {
    const view = await aggregate(offering({ b1: ['ext_helper', 'kept'], ext: ['helper'] }), priority('b1'))
    expect(promptRoutes(view)).toEqual(['kept -> b1/kept'])
  })

  it('AGG-P07 of ranked backends are bare, and the best-ranked keeps a name', async () => {
    const view = await aggregate(
      offering({ b1: ['review', 'unique'], b2: ['review'], ext: ['helper'] }),
      priority('b2', 'b1'),
    )
    expect(promptRoutes(view)).toEqual(['ext_helper -> ext/helper', 'review -> b2/review', 'unique -> b1/unique'])
  })

  it("AGG-P08 follow the format, and are got by the backend's own name", async () => {
    const view = await aggregate(offering({ github: ['review'] }), {
      aggregation: { conflictResolution: { strategy: 'prefix', prefixFormat: '{workload}.' } },
    })
    expect(promptRoutes(view)).toEqual(['github.review -> github/review'])
  })

  it('are prefixed under the manual strategy too', async () => {
    const view = await aggregate(offering({ b1: ['review'] }), {
      aggregation: { conflictResolution: { strategy: 'manual' } },
    })
    expect([...view.prompts.keys()]).toEqual(['b1_review'])
  })
})
