import { prompt, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import { createVMCP } from '../create-vmcp.js'

describe('report', () => {
  it('counts what the view holds, composite tools included, and says how names were told apart', async () => {
    const b1 = scriptedBackend({
      id: 'b1',
      tools: [tool('a'), tool('hidden')],
      resources: [resource('file://a')],
      templates: [template('file:///{name}')],
      prompts: [prompt('p')],
    })
    const vmcp = createVMCP({
      name: 'gateway',
      backends: [b1],
      aggregation: { tools: [{ workload: 'b1', filter: ['a'] }] },
      compositeTools: [{ name: 'wf', description: 'd', steps: [{ id: 's', type: 'tool', tool: 'b1.hidden' }] }],
    })
    const report = await vmcp.report(null)
    expect(report.counts).toEqual({ backends: 1, tools: 2, resources: 1, templates: 1, prompts: 1 })
    expect(report.strategy).toBe('prefix')
    expect(report.findings).toMatchObject([{ reason: 'hidden', subject: 'hidden', backendId: 'b1' }])
  })
})
