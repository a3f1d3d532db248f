import { describe, expect, it } from 'vitest'
import { parseConfig } from './load.js'

describe('strayNames', () => {
  it('warns of every name that no backend has, in the order of the file', () => {
    const source = `name: a
backends: [{ name: files, command: npx }]
outgoingAuth: { backends: { flies: { type: unauthenticated } } }
aggregation:
  conflictResolutionConfig: { priorityOrder: [files, fils] }
  tools: [{ workload: flies, filter: [read] }]
operational: { timeouts: { perWorkload: { file: 2m } } }
`
    const { warnings } = parseConfig('vmcp.yaml', source, {})
    expect(warnings.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)).toEqual([
      '3:29 outgoingAuth.backends.flies: no backend is named "flies"',
      '5:54 aggregation.conflictResolutionConfig.priorityOrder[1]: no backend is named "fils"',
      '6:23 aggregation.tools[0].workload: no backend is named "flies"',
      '7:43 operational.timeouts.perWorkload.file: no backend is named "file"',
    ])
  })

  it('has nothing to say of names that are there', () => {
    const source = 'name: a\nbackends: [{ name: files, command: npx }]\naggregation: { tools: [{ workload: files }] }'
    expect(parseConfig('vmcp.yaml', source, {}).warnings).toEqual([])
  })
})
