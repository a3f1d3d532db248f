import { CapabilityConflict } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'

import type { AggregationConfig, ConflictResolution } from '../../core-config.js'
import { advertised, aggregate, findingsOf, routable } from '../test-support/aggregate.js'
import { scriptedBackend, toolNamed } from '../test-support/scripted-backend.js'

const resolving = (conflictResolution: ConflictResolution, more: AggregationConfig = {}) => ({
  aggregation: { conflictResolution, ...more },
})

describe('the prefix strategy', () => {
  const github = scriptedBackend('github', { tools: ['create_issue', 'list_issues'] })
  const jira = scriptedBackend('jira', { tools: ['create_issue', 'list_projects'] })

  it('AGG-A01 prefixes every tool with the id of its backend', async () => {
    const view = await aggregate([github, jira], resolving({ strategy: 'prefix', prefixFormat: '{workload}_' }))
    expect(advertised(view)).toEqual([
      'github_create_issue -> github/create_issue',
      'github_list_issues -> github/list_issues',
      'jira_create_issue -> jira/create_issue',
      'jira_list_projects -> jira/list_projects',
    ])
  })

  it('AGG-A02 takes another format', async () => {
    const backends = ['backend1', 'backend2'].map((id) => scriptedBackend(id, { tools: ['tool1'] }))
    const view = await aggregate(backends, resolving({ strategy: 'prefix', prefixFormat: '{workload}.' }))
    expect([...view.tools.keys()]).toEqual(['backend1.tool1', 'backend2.tool1'])
  })

  it('AGG-A03 prefixes names that do not conflict', async () => {
    const view = await aggregate([
      scriptedBackend('github', { tools: ['create_pr'] }),
      scriptedBackend('jira', { tools: ['create_ticket'] }),
    ])
    expect([...view.tools.keys()]).toEqual(['github_create_pr', 'jira_create_ticket'])
  })

  it('replaces every {workload} of the format, and takes the rest as it is', async () => {
    const view = await aggregate(
      [scriptedBackend('a$&', { tools: ['x'] }), scriptedBackend('b', { tools: ['x'] })],
      resolving({ strategy: 'prefix', prefixFormat: '{workload}.{workload}-' }),
    )
    expect([...view.tools.keys()].at(-1)).toBe('b.b-x')
  })

  // Better than the reference, which leaves the winner to map order.
  it('gives a name that two prefixes arrive at to the first backend by id, and reports the other', async () => {
    const backends = [scriptedBackend('a_b', { tools: ['c'] }), scriptedBackend('a', { tools: ['b_c'] })]
    for (const order of [backends, [...backends].reverse()]) {
      const view = await aggregate(order)
      expect(advertised(view)).toEqual(['a_b_c -> a/b_c'])
      expect(findingsOf(view, 'lost-conflict')).toMatchObject([{ backendId: 'a_b', subject: 'c', kind: 'tool' }])
    }
  })
})

describe('the priority strategy', () => {
  it('AGG-A04 lets the best-ranked backend keep a name', async () => {
    const view = await aggregate(
      [
        scriptedBackend('github', { tools: ['create_issue', 'list_repos'] }),
        scriptedBackend('jira', { tools: ['create_issue', 'list_projects'] }),
      ],
      resolving({ strategy: 'priority', priorityOrder: ['github', 'jira'] }),
    )
    expect(routable(view)).toEqual([
      'create_issue -> github/create_issue',
      'list_projects -> jira/list_projects',
      'list_repos -> github/list_repos',
    ])
  })

  it('AGG-A05 drops all but the first in the order', async () => {
    const ids = ['tertiary', 'secondary', 'primary']
    const view = await aggregate(
      ids.map((id) => scriptedBackend(id, { tools: ['shared_tool'] })),
      resolving({ strategy: 'priority', priorityOrder: ['primary', 'secondary', 'tertiary'] }),
    )
    expect(routable(view)).toEqual(['shared_tool -> primary/shared_tool'])
    expect(findingsOf(view, 'lost-conflict').map((finding) => finding.backendId)).toEqual(['secondary', 'tertiary'])
  })

  it('AGG-A06 leaves the only claimant of a name bare, ranked or not', async () => {
    const view = await aggregate(
      [scriptedBackend('unknown_backend', { tools: ['tool2'] })],
      resolving({ strategy: 'priority', priorityOrder: ['github'] }),
    )
    expect(routable(view)).toEqual(['tool2 -> unknown_backend/tool2'])
  })

  // The report names one strategy for the whole view; the fallback shows as a finding for each tool.
  it('AGG-A07 prefixes all claimants when none is ranked, and reports it', async () => {
    const view = await aggregate(
      ['slack', 'teams'].map((id) => scriptedBackend(id, { tools: ['send_message'] })),
      resolving({ strategy: 'priority', priorityOrder: ['github'] }),
    )
    expect(routable(view)).toEqual([
      'slack_send_message -> slack/send_message',
      'teams_send_message -> teams/send_message',
    ])
    expect(findingsOf(view, 'renamed').map((finding) => finding.advertisedAs)).toEqual([
      'slack_send_message',
      'teams_send_message',
    ])
  })

  // Quirk 9: the reference ignores the format here.
  it('uses the configured prefix format for that', async () => {
    const view = await aggregate(
      ['slack', 'teams'].map((id) => scriptedBackend(id, { tools: ['send'] })),
      resolving({ strategy: 'priority', priorityOrder: ['github'], prefixFormat: '{workload}.' }),
    )
    expect([...view.tools.keys()]).toEqual(['slack.send', 'teams.send'])
  })

  it('gives a ranked backend its own name when a prefix arrives at it', async () => {
    const view = await aggregate(
      [
        scriptedBackend('a', { tools: ['send'] }),
        scriptedBackend('b', { tools: ['send'] }),
        scriptedBackend('trusted', { tools: ['a_send'] }),
      ],
      resolving({ strategy: 'priority', priorityOrder: ['trusted'] }),
    )
    expect(routable(view)).toEqual(['a_send -> trusted/a_send', 'b_send -> b/send'])
  })

  it('case 04: no name reaches a tool that a rule on the bare name would have denied', async () => {
    const backends = [
      scriptedBackend('github', { tools: ['deploy'] }),
      scriptedBackend('prod', { tools: ['deploy'] }),
      scriptedBackend('evil', { tools: ['github_deploy'] }),
    ]
    for (let run = 0; run < 100; run++) {
      const shuffled = [...backends].sort(
        (left, right) => ((left.id.length * (run + 1)) % 7) - ((right.id.length * run) % 7),
      )
      const view = await aggregate(shuffled, resolving({ strategy: 'priority', priorityOrder: ['github'] }))
      expect(routable(view)).toEqual(['deploy -> github/deploy', 'github_deploy -> evil/github_deploy'])
    }
  })
})

describe('the manual strategy', () => {
  const manual = (tools: NonNullable<AggregationConfig['tools']>) => resolving({ strategy: 'manual' }, { tools })
  const backends = ['github', 'jira'].map((id) => scriptedBackend(id, { tools: ['create_issue'] }))

  it('AGG-A09 uses the names of the overrides', async () => {
    const view = await aggregate(
      backends,
      manual([
        { workload: 'github', overrides: { create_issue: { name: 'gh_create_issue' } } },
        { workload: 'jira', overrides: { create_issue: { name: 'jira_create_issue' } } },
      ]),
    )
    expect(routable(view)).toEqual(['gh_create_issue -> github/create_issue', 'jira_create_issue -> jira/create_issue'])
  })

  it('AGG-A10 fails when a claimant of a name has no override', async () => {
    const described = { create_issue: { description: 'Files an issue.' } }
    const view = aggregate(backends, manual([{ workload: 'github', overrides: described }]))
    await expect(view).rejects.toBeInstanceOf(CapabilityConflict)
    await expect(view).rejects.toMatchObject({
      message: expect.stringMatching(/unresolved tool name conflicts[^]*create_issue: \[github, jira\]/u),
      conflicts: [{ name: 'create_issue', backendIds: ['github', 'jira'] }],
    })
  })

  // The reference applies overrides before its resolver looks, so a configuration like this one works there.
  it('AGG-A10 is content with one claimant renamed, as the whole pipeline of the reference is', async () => {
    const renamed = { create_issue: { name: 'gh_create_issue' } }
    const view = await aggregate(backends, manual([{ workload: 'github', overrides: renamed }]))
    expect(routable(view)).toEqual(['create_issue -> jira/create_issue', 'gh_create_issue -> github/create_issue'])
  })

  it('AGG-A11 merges annotations field by field', async () => {
    const view = await aggregate(
      [
        scriptedBackend('github', {
          tools: [toolNamed('create_issue', { annotations: { title: 'Original GH', readOnlyHint: true } })],
        }),
        scriptedBackend('jira', {
          tools: [toolNamed('create_issue', { annotations: { title: 'Original Jira', destructiveHint: false } })],
        }),
      ],
      manual([
        {
          workload: 'github',
          overrides: {
            create_issue: { name: 'gh', annotations: { title: 'GitHub Issue Creator', readOnlyHint: false } },
          },
        },
        { workload: 'jira', overrides: { create_issue: { name: 'ji', annotations: { destructiveHint: true } } } },
      ]),
    )
    expect(view.tools.get('gh')?.item.annotations).toEqual({ title: 'GitHub Issue Creator', readOnlyHint: false })
    expect(view.tools.get('ji')?.item.annotations).toEqual({ title: 'Original Jira', destructiveHint: true })
  })

  it('AGG-A12 fails when two overrides arrive at one name', async () => {
    const overrides = { create_issue: { name: 'same' } }
    const view = aggregate(
      backends,
      manual([
        { workload: 'github', overrides },
        { workload: 'jira', overrides },
      ]),
    )
    await expect(view).rejects.toThrow(
      'collision after override: tool same from backend github conflicts with tool from backend jira',
    )
  })

  it('leaves names without a conflict alone', async () => {
    const view = await aggregate(
      [scriptedBackend('a', { tools: ['x'] }), scriptedBackend('b', { tools: ['y'] })],
      manual([]),
    )
    expect([...view.tools.keys()]).toEqual(['x', 'y'])
  })
})
