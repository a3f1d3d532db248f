import { BackendUnavailable, Identity } from '@vmcp/domain'
import type { Backend, CapabilityKind, Explanation } from '@vmcp/domain'
import { prompt, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from '../core-config.js'
import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })

function explaining(
  backends: readonly Backend[],
  config: Partial<CoreConfig>,
  [kind, name]: readonly [CapabilityKind, string],
): Promise<Explanation> {
  return createVMCP({ name: 'gateway', backends, ...config }).explain(alice, { kind, name })
}

/** The step at which the way ends, if it does. */
function failure({ steps }: Explanation): readonly [string, string] | undefined {
  const step = steps.at(-1)
  return step === undefined || step.passed ? undefined : [step.check, step.message]
}

const b1 = (): Backend => scriptedBackend({ id: 'b1', tools: [tool('echo'), tool('secret')] })

describe('explain', () => {
  it('tells the whole way of a tool that is listed', async () => {
    const explanation = await explaining(
      [b1()],
      {
        authorization: {
          type: 'cedar',
          policies: ['@id("echo for all")\npermit(principal, action, resource == Tool::"b1_echo");'],
        },
      },
      ['tool', 'b1_echo'],
    )
    expect(explanation).toMatchObject({ kind: 'tool', name: 'b1_echo', listed: true, reachable: true })
    expect(explanation.steps.map(({ check }) => check)).toEqual([
      'backend',
      'health',
      'offer',
      'filter',
      'conflict',
      'override',
      'visibility',
      'policy',
    ])
    expect(explanation.steps.at(-1)?.policyIds).toHaveLength(1)
    expect(explanation.text.split('\n')).toHaveLength(9)
    expect(explanation.text).toMatch(/^tool "b1_echo" is listed, and can be called\n {2}ok {5}backend/)
  })

  it('names the policy that forbids', async () => {
    const policies = [
      'permit(principal, action, resource);',
      'forbid(principal, action, resource == Tool::"b1_secret");',
    ]
    const explanation = await explaining([b1()], { authorization: { type: 'cedar', policies } }, ['tool', 'b1_secret'])
    expect(explanation).toMatchObject({ listed: false, reachable: false })
    expect(failure(explanation)?.[0]).toBe('policy')
    expect(explanation.steps.at(-1)?.policyIds).toHaveLength(1)
    expect(failure(explanation)?.[1]).toBe('a policy forbids it (policy1)')
    expect(explanation.text).toMatch(/^tool "b1_secret" is not listed, and cannot be called\n/)
  })

  it.each([
    [
      'permits with the right arguments',
      ['permit(principal, action, resource) when { context has arg_env && context.arg_env == "dev" };'],
      'no policy permits it for this caller',
    ],
    [
      'forbids without the right arguments',
      [
        'permit(principal, action, resource);',
        'forbid(principal, action, resource) unless { context has arg_env && context.arg_env == "dev" };',
      ],
      'a policy forbids it (policy1)',
    ],
    [
      'cannot be evaluated without arguments',
      ['permit(principal, action, resource) when { context.arg_env == "dev" };'],
      'it is denied, since a policy could not be evaluated (policy0)',
    ],
  ])('leaves open what a policy decides that %s', async (_, policies, reason) => {
    const authorization = { type: 'cedar', policies } as const
    const explanation = await explaining([b1()], { authorization }, ['tool', 'b1_echo'])
    expect(failure(explanation)).toEqual(['policy', `${reason}; a policy on arguments may still permit a call`])
    expect(explanation.text).toMatch(/^tool "b1_echo" is not listed, and cannot be called without arguments\n/)
    const vmcp = createVMCP({ name: 'gateway', backends: [b1()], authorization })
    await vmcp.callTool(alice, { name: 'b1_echo', arguments: { env: 'dev' } })
  })

  it('knows no arguments of a resource', async () => {
    const files = scriptedBackend({ id: 'b1', resources: [resource('file://x')] })
    const policies = ['permit(principal, action, resource) when { context has arg_env };']
    const explanation = await explaining([files], { authorization: { type: 'cedar', policies } }, [
      'resource',
      'file://x',
    ])
    expect(failure(explanation)).toEqual(['policy', 'no policy permits it for this caller'])
  })

  it('says when no policy permits', async () => {
    const policies = ['permit(principal, action, resource == Tool::"other");']
    const explanation = await explaining([b1()], { authorization: { type: 'cedar', policies } }, ['tool', 'b1_echo'])
    expect(failure(explanation)?.[1]).toBe('no policy permits it for this caller')
  })

  it.each([
    ['filter', { tools: [{ workload: 'b1', filter: ['echo'] }] }],
    ['visibility', { tools: [{ workload: 'b1', excludeAll: true }] }],
    ['visibility', { excludeAllTools: true, tools: [{ workload: 'b1', filter: ['echo'] }] }],
    ['visibility', { defaultToolVisibility: 'deny' }],
  ] as const)('names the %s that hides a tool', async (check, aggregation) => {
    const explanation = await explaining([b1()], { aggregation }, ['tool', 'b1_secret'])
    expect(failure(explanation)?.[0]).toBe(check)
    expect(explanation).toMatchObject({ listed: false, reachable: false })
  })

  it('names the backend that won a conflict', async () => {
    const aggregation = { conflictResolution: { strategy: 'priority', priorityOrder: ['b2', 'b1'] } } as const
    const both = ['b1', 'b2'].map((id) =>
      scriptedBackend({ id, resources: [resource('file://x')], tools: [tool('echo'), tool(id)] }),
    )
    expect(failure(await explaining(both, { aggregation }, ['tool', 'echo']))).toBeUndefined()
    const lost = await explaining(both, { aggregation }, ['tool', 'b1_echo'])
    expect(failure(lost)).toEqual(['conflict', 'backend b2 has priority for the name "echo"'])
  })

  it('tells by which name something goes here', async () => {
    const own = await explaining([b1()], {}, ['tool', 'echo'])
    expect(failure(own)).toEqual(['conflict', 'it is not called that here, but "b1_echo"'])
    expect(own.advertisedAs).toEqual(['b1_echo'])
    const dotted = await explaining([b1()], {}, ['tool', 'b1.echo'])
    expect(failure(dotted)).toEqual(['conflict', 'it is not called that here, but "b1_echo"'])
    const greet = scriptedBackend({ id: 'b1', prompts: [prompt('greet')] })
    expect(failure(await explaining([greet], {}, ['prompt', 'greet']))?.[1]).toContain('"b1_greet"')
  })

  it('tells by which name an override made it go', async () => {
    const aggregation = { tools: [{ workload: 'b1', overrides: { echo: { name: 'say' } } }] }
    const before = await explaining([b1()], { aggregation }, ['tool', 'b1_echo'])
    expect(failure(before)).toEqual(['conflict', 'it is not called that here, but "b1_say"'])
    const after = await explaining([b1()], { aggregation }, ['tool', 'b1_say'])
    expect(after).toMatchObject({ listed: true, reachable: true })
    expect(after.text).toContain('its override is applied')
  })

  it('names the schema that a tool was left out for', async () => {
    const broken = scriptedBackend({ id: 'b1', tools: [tool('bad', { inputSchema: { type: 'int' } }), tool('ok')] })
    const explanation = await explaining([broken], {}, ['tool', 'b1_bad'])
    expect(failure(explanation)?.[0]).toBe('offer')
    expect(failure(explanation)?.[1]).toContain('the tool is')
  })

  it('names the backend that gave no lists', async () => {
    const down = scriptedBackend({
      id: 'jira',
      on: { describe: () => Promise.reject(new BackendUnavailable('jira', 'unreachable')) },
    })
    const explanation = await explaining([b1(), down], {}, ['tool', 'jira_search'])
    expect(failure(explanation)?.[0]).toBe('health')
    expect(failure(explanation)?.[1]).toContain('backend jira')
  })

  it('answers when nothing at all is served', async () => {
    const error = new BackendUnavailable('jira', 'unreachable')
    const down = scriptedBackend({ id: 'jira', on: { describe: () => Promise.reject(error) } })
    const alone = await explaining([down], {}, ['tool', 'jira_search'])
    expect(alone).toMatchObject({ listed: false, reachable: false })
    expect(failure(alone)).toEqual(['health', expect.stringContaining('no backends returned capabilities')])
    const together = await explaining([b1(), down], { partialFailureMode: 'fail' }, ['tool', 'b1_echo'])
    expect(failure(together)).toEqual(['health', expect.stringContaining('jira (unreachable)')])
  })

  it('names the conflict that nobody has decided', async () => {
    const both = ['b1', 'b2'].map((id) => scriptedBackend({ id, tools: [tool('echo')] }))
    const aggregation = { conflictResolution: { strategy: 'manual' } } as const
    const explanation = await explaining(both, { aggregation }, ['tool', 'echo'])
    expect(explanation).toMatchObject({ listed: false, reachable: false })
    expect(failure(explanation)).toEqual(['conflict', expect.stringContaining('echo: [b1, b2]')])
  })

  it('finds no override for a tool that is called like a method of every object', async () => {
    const odd = scriptedBackend({ id: 'b1', tools: [tool('constructor')] })
    const aggregation = { tools: [{ workload: 'b1', overrides: { other: { name: 'x' } } }] }
    const { steps } = await explaining([odd], { aggregation }, ['tool', 'b1_constructor'])
    expect(steps.find(({ check }) => check === 'override')?.message).toBe('none')
  })

  it('names the backend that failed its first probe', async () => {
    const down = scriptedBackend({
      id: 'jira',
      on: { describe: () => Promise.reject(new BackendUnavailable('jira', 'unreachable')) },
    })
    const vmcp = createVMCP({ name: 'gateway', backends: [b1(), down], health: {} })
    await vmcp.report(null)
    const explanation = await vmcp.explain(null, { kind: 'tool', name: 'jira.search' })
    await vmcp.close()
    expect(failure(explanation)?.[0]).toBe('health')
    expect(failure(explanation)?.[1]).toContain('backend jira')
  })

  it('offers near names of the caller, and none that it may not use', async () => {
    const explanation = await explaining(
      [b1()],
      { authorization: { type: 'cedar', policies: ['permit(principal, action, resource == Tool::"b1_echo");'] } },
      ['tool', 'b1_eco'],
    )
    expect(failure(explanation)).toEqual(['offer', 'no backend offers a tool "b1_eco"; near names: b1_echo'])
    const secret = await explaining(
      [b1()],
      { authorization: { type: 'cedar', policies: ['permit(principal, action, resource == Tool::"b1_echo");'] } },
      ['tool', 'b1_secre'],
    )
    expect(secret.text).not.toContain('b1_secret')
  })

  it('explains composite tools', async () => {
    const compositeTools = [
      { name: 'wf', description: 'd', steps: [{ id: 's', type: 'tool', tool: 'b1.echo' }] },
      { name: 'broken', description: 'd', steps: [{ id: 's', type: 'tool', tool: 'b1.nothing' }] },
    ] as const
    const config = { compositeTools }
    expect(await explaining([b1()], config, ['tool', 'wf'])).toMatchObject({ listed: true, reachable: true })
    expect(failure(await explaining([b1()], config, ['tool', 'broken']))?.[1]).toContain(
      'no backend offers "b1.nothing"',
    )
  })

  it('tells a URI that a template matches from one that is listed', async () => {
    const files = scriptedBackend({
      id: 'b1',
      templates: [template('file:///{name}')],
      resources: [resource('config://info')],
    })
    const matched = await explaining([files], {}, ['resource', 'file:///a'])
    expect(matched).toMatchObject({ listed: false, reachable: true })
    expect(await explaining([files], {}, ['resource', 'config://info'])).toMatchObject({
      listed: true,
      reachable: true,
    })
    expect(await explaining([files], {}, ['resource', 'file:///{name}'])).toMatchObject({
      listed: true,
      reachable: true,
    })
  })
})
