import { InvalidConfig } from '@vmcp/domain'
import type { Workflow, WorkflowStep } from '@vmcp/domain'
import { recordingLogger, scriptedBackend, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from './core-config.js'
import { createVMCP } from './create-vmcp.js'

/** A configuration as it may come from code without types. */
function problemsOf(config: unknown): readonly string[] {
  try {
    void createVMCP(config as CoreConfig).close()
  } catch (error) {
    if (error instanceof InvalidConfig) return error.problems.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

const workflow = (name: string, ...steps: readonly WorkflowStep[]): Workflow => ({ name, description: 'd', steps })
const toolStep = (id: string, dependsOn: readonly string[] = []): WorkflowStep => ({
  id,
  type: 'tool',
  tool: 'be1.tool',
  dependsOn,
})
const sound = { name: 'gateway', backends: [] }

describe('createVMCP', () => {
  it.each([[undefined], [null]])('CORE-C01 refuses %s', (config) => {
    expect(problemsOf(config)).toEqual([': a configuration is required'])
  })

  // Collaborators are not given but made; what can be missing are the backends and their clients.
  it('CORE-C02 refuses a configuration without backends, and a backend without a client', () => {
    expect(problemsOf({ name: 'gateway' })).toEqual(['backends: expected a list'])
    expect(problemsOf({ name: 'gateway', backends: [{ id: 'b1' }] })).toEqual(['backends[0].client: is required'])
  })

  it('CORE-C03 refuses a workflow whose steps wait for each other', () => {
    const problems = problemsOf({
      ...sound,
      compositeTools: [workflow('wf', toolStep('s1', ['s2']), toolStep('s2', ['s1']))],
    })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^compositeTools\[0\].*circular dependency/)
  })

  it('CORE-C04 CORE-C07 takes a workflow of tools, and closes', async () => {
    const vmcp = createVMCP({ ...sound, compositeTools: [workflow('wf', toolStep('s1'))] })
    await expect(vmcp.close()).resolves.toBeUndefined()
  })

  // We take it: the channel of the calling client comes first, so that no requester need be configured.
  it('CORE-C05 takes a workflow that asks the user without a configured requester', () => {
    const question: WorkflowStep = {
      id: 'q',
      type: 'elicitation',
      message: 'Sure?',
      schema: { type: 'object', properties: { sure: { type: 'boolean' } } },
    }
    expect(problemsOf({ ...sound, compositeTools: [workflow('ask', question)] })).toEqual([])
  })

  it('CORE-C06 refuses a loop that asks the user for each item', () => {
    const loop = {
      id: 'each',
      type: 'forEach',
      collection: '{{json .params.items}}',
      step: { id: 'ask', type: 'elicitation', message: 'Sure?' },
    }
    const problems = problemsOf({ ...sound, compositeTools: [{ name: 'wf', description: 'd', steps: [loop] }] })
    expect(problems).not.toEqual([])
    expect(problems[0]).toMatch(/^compositeTools\[0\]\.steps/)
  })

  it('CORE-M16 refuses two composite tools of one name', () => {
    const compositeTools = [workflow('wf', toolStep('s1')), workflow('wf', toolStep('s1'))]
    expect(problemsOf({ ...sound, compositeTools })).toEqual([
      'compositeTools[1].name: duplicate composite tool name: wf',
    ])
  })

  it('CORE-C13 refuses an empty server name', () => {
    const authorization = { type: 'cedar', policies: ['permit(principal, action, resource);'] }
    expect(problemsOf({ name: ' ', backends: [], authorization })).toEqual(['name: is required'])
  })

  it('CORE-C14 refuses an unknown kind of authorization', () => {
    const authorization = { type: 'definitely-not-registered', policies: ['permit(principal, action, resource);'] }
    const problems = problemsOf({ ...sound, authorization })
    expect(problems[0]).toBe('authorization.type: expected one of cedar, got "definitely-not-registered"')
  })

  it('refuses cedar without policies, and with one that does not parse', () => {
    expect(problemsOf({ ...sound, authorization: { type: 'cedar', policies: [] } })).toContain(
      'authorization.policies: at least one policy is required',
    )
    const problems = problemsOf({ ...sound, authorization: { type: 'cedar', policies: ['permit(principal'] } })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^authorization\.policies\[0\]/)
  })

  it('AGG-A08 refuses the priority strategy without an order', () => {
    const aggregation = { conflictResolution: { strategy: 'priority', priorityOrder: [] } }
    expect(problemsOf({ ...sound, aggregation })).toEqual([
      'aggregation.conflictResolution.priorityOrder: the priority strategy needs at least one backend id',
    ])
  })

  it('refuses an order that names a backend twice', () => {
    const conflictResolution = { strategy: 'priority', priorityOrder: ['a', 'b', 'a'] }
    expect(problemsOf({ ...sound, aggregation: { conflictResolution } })).toEqual([
      'aggregation.conflictResolution.priorityOrder[2]: "a" is listed twice',
    ])
  })

  it('AGG-C24 AGG-C25 refuses an order with a backend whose tools are hidden, which would win names', () => {
    const conflictResolution = { strategy: 'priority', priorityOrder: ['github', 'jira'] }
    const aggregation = { conflictResolution, tools: [{ workload: 'github' }] }
    expect(problemsOf({ ...sound, aggregation: { ...aggregation, defaultToolVisibility: 'deny' } })).toEqual([
      expect.stringContaining('priorityOrder entry "jira" has no tools entry'),
    ])
    expect(problemsOf({ ...sound, aggregation: { ...aggregation, defaultToolVisibility: 'allow' } })).toEqual([])
  })

  it('AGG-A23 refuses an unknown strategy', () => {
    expect(problemsOf({ ...sound, aggregation: { conflictResolution: { strategy: 'bogus' } } })).toEqual([
      'aggregation.conflictResolution.strategy: invalid conflict resolution strategy: bogus',
    ])
  })

  it('tells everything that is wrong at once', () => {
    const client = scriptedBackend({ id: 'x' }).client
    const problems = problemsOf({
      name: '',
      backends: [
        { id: 'b1', client },
        { id: '', client },
        { id: 'b1', client },
      ],
      aggregation: {
        cacheTtlMs: -1,
        cacheSize: 0,
        names: { maxLength: 20, reservedLength: 11 },
        defaultToolVisibility: 'maybe',
        tools: [{ workload: 'b1' }, { workload: 'b1' }],
      },
      authorization: { type: 'cedar', policies: ['permit(principal'] },
      health: { checkIntervalMs: 1_000, checkTimeoutMs: 2_000 },
      timeouts: { defaultMs: 0, perBackendMs: { b1: Number.NaN }, firstAnswerMs: -1 },
      partialFailureMode: 'sometimes',
    }).map((problem) => problem.slice(0, problem.indexOf(':')))
    expect(problems).toEqual([
      'name',
      'backends[1].id',
      'backends[2].id',
      'aggregation.defaultToolVisibility',
      'aggregation.tools[1].workload',
      'partialFailureMode',
      'aggregation.cacheTtlMs',
      'aggregation.cacheSize',
      'aggregation.names.reservedLength',
      'health.checkTimeoutMs',
      'timeouts.defaultMs',
      'timeouts.perBackendMs.b1',
      'timeouts.firstAnswerMs',
      'authorization.policies[0]',
    ])
  })

  it('starts nothing when something is wrong', () => {
    const backend = scriptedBackend({ id: 'b1', tools: [tool('t')] })
    const config = {
      name: 'gateway',
      backends: [backend],
      health: {},
      authorization: { type: 'cedar', policies: ['no'] },
    }
    expect(problemsOf(config)).not.toEqual([])
    expect(backend.calls).toEqual([])
    expect(backend.subscribers()).toBe(0)
  })

  it('builds hundreds of backends in one turn', async () => {
    const logger = recordingLogger()
    const backends = Array.from({ length: 600 }, (_, index) => scriptedBackend({ id: `b${index}` }))
    const vmcp = createVMCP({ name: 'gateway', backends, logger })
    expect(vmcp.listAllBackends()).toHaveLength(600)
    await vmcp.close()
  })
})
