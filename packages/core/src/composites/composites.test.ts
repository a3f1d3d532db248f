import { Identity, isInputRequired, NotFound } from '@vmcp/domain'
import type { ToolStep, Workflow } from '@vmcp/domain'
import { fakeChannel, recordingLogger, scriptedBackend, tool, untilAborted } from '@vmcp/testing'
import type { BackendScript } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from '../core-config.js'
import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })

const step = (reference: string, fields: Partial<ToolStep> = {}): ToolStep => ({
  id: reference.replaceAll('.', '_'),
  type: 'tool',
  tool: reference,
  ...fields,
})

const workflow = (name: string, steps: Workflow['steps'], fields: Partial<Workflow> = {}): Workflow => ({
  name,
  description: `does ${name}`,
  steps,
  ...fields,
})

function serving(
  compositeTools: readonly Workflow[],
  script: Partial<BackendScript> = {},
  config: Partial<CoreConfig> = {},
) {
  const backend = scriptedBackend({ id: 'be1', tools: [tool('tool_a'), tool('echo')], ...script })
  const logger = recordingLogger()
  const vmcp = createVMCP({ name: 'gateway', backends: [backend], compositeTools, logger, ...config })
  const names = async (): Promise<readonly string[]> => (await vmcp.listTools(alice)).map(({ name }) => name)
  return { backend, vmcp, names, logger }
}

describe('composite tools', () => {
  it('CORE-C21 are listed beside backend tools, by name', async () => {
    const { names } = serving([workflow('wf', [step('be1.tool_a')]), workflow('a_wf', [step('be1_echo')])])
    expect(await names()).toEqual(['a_wf', 'be1_echo', 'be1_tool_a', 'wf'])
  })

  it('CORE-M01 CORE-K06 run, and answer with their output', async () => {
    const { vmcp, backend } = serving([workflow('wf', [step('be1.echo', { arguments: { x: '{{.params.x}}' } })])], {
      on: { callTool: async () => ({ content: [], structuredContent: { ok: true } }) },
    })
    const result = await vmcp.callTool(alice, { name: 'wf', arguments: { x: 1 }, meta: { secret: 's' } })
    expect(result).toMatchObject({ structuredContent: { ok: true } })
    expect(result).not.toHaveProperty('isError', true)
    expect(result).not.toHaveProperty('backendId')
    expect(backend.callsOf('callTool')).toMatchObject([
      { identity: alice, request: { name: 'echo', arguments: { x: 1 } } },
    ])
    expect(backend.callsOf('callTool')[0]?.request).not.toHaveProperty('meta')
  })

  it('CORE-M02 CORE-M10 CORE-M12 are absent when a tool of theirs is', async () => {
    const { vmcp, names, logger } = serving([
      workflow('wf_ok', [step('be1_tool_a')]),
      workflow('wf_missing', [step('be1_tool_a'), step('restricted-backend.echo')]),
    ])
    expect(await names()).toEqual(['be1_echo', 'be1_tool_a', 'wf_ok'])
    await expect(vmcp.callTool(alice, { name: 'wf_missing' })).rejects.toEqual(new NotFound('tool', 'wf_missing'))
    expect((await vmcp.report(alice)).findings).toContainEqual({
      reason: 'composite-dropped',
      kind: 'tool',
      subject: 'wf_missing',
      message: 'composite tool "wf_missing" is not offered: no backend offers "restricted-backend.echo"',
    })
    await vmcp.listTools(null)
    expect(logger.lines.filter(({ fields }) => fields['compositeTool'] === 'wf_missing')).toHaveLength(1)
  })

  it('CORE-M11 need no backend tool to ask the user', async () => {
    const asking = workflow('ask', [
      { id: 'q', type: 'elicitation', message: 'Sure?', schema: { type: 'object', properties: {} } },
    ])
    const { names } = serving([asking, workflow('wf', [step('be1_tool_a')])], { tools: [] })
    expect(await names()).toEqual(['ask'])
  })

  it('CORE-M03 CORE-M04 all give way when a backend tool bears the name of one', async () => {
    const compositeTools = [
      workflow('be1_echo', [step('be1.tool_a')], { annotations: { readOnlyHint: true } }),
      workflow('other', [step('be1.tool_a')]),
    ]
    const { vmcp, names, logger } = serving(compositeTools)
    expect(await names()).toEqual(['be1_echo', 'be1_tool_a'])
    expect(await vmcp.callTool(alice, { name: 'be1_echo' })).toMatchObject({ backendId: 'be1' })
    await expect(vmcp.callTool(alice, { name: 'other' })).rejects.toBeInstanceOf(NotFound)
    expect(logger.text()).toContain('composite tool names conflict with backend tools: be1_echo')
  })

  it('may bear the name of a hidden backend tool', async () => {
    const compositeTools = [workflow('be1_echo', [step('be1.tool_a')])]
    const { vmcp, names } = serving(
      compositeTools,
      {},
      { aggregation: { tools: [{ workload: 'be1', filter: ['tool_a'] }] } },
    )
    expect(await names()).toEqual(['be1_echo', 'be1_tool_a'])
    expect(await vmcp.callTool(alice, { name: 'be1_echo' })).not.toHaveProperty('backendId')
  })

  it('CORE-M05 CORE-M09 are neither listed nor callable when they look safer than their steps', async () => {
    const { vmcp, names, backend } = serving([
      workflow('wf_bad', [step('be1_echo')], { annotations: { readOnlyHint: true } }),
      workflow('wf_ok', [step('be1_echo')]),
    ])
    expect(await names()).toEqual(['be1_echo', 'be1_tool_a', 'wf_ok'])
    await expect(vmcp.callTool(alice, { name: 'wf_bad' })).rejects.toEqual(new NotFound('tool', 'wf_bad'))
    expect(backend.callsOf('callTool')).toEqual([])
  })

  it('CORE-M07 CORE-M08 advertise the floor of their steps', async () => {
    const hints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
    const { vmcp } = serving(
      [workflow('safe', [step('be1_tool_a')]), workflow('mixed', [step('be1_tool_a'), step('be1_echo')])],
      {
        tools: [tool('tool_a', { annotations: hints }), tool('echo')],
      },
    )
    expect((await vmcp.lookupTool(alice, 'safe')).annotations).toEqual(hints)
    expect((await vmcp.lookupTool(alice, 'mixed')).annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    })
  })

  it('CORE-M13 advertise a schema of their output', async () => {
    const { vmcp } = serving([
      workflow('wf', [step('be1_echo')], {
        output: {
          properties: { result: { type: 'string', description: 'The result', value: 'x' } },
          required: ['result'],
        },
      }),
    ])
    expect((await vmcp.lookupTool(alice, 'wf')).outputSchema).toEqual({
      type: 'object',
      properties: { result: { type: 'string', description: 'The result' } },
      required: ['result'],
    })
  })

  it('CORE-M15 may use hidden tools, whose hints count as unknown', async () => {
    const compositeTools = [workflow('wf', [step('be1.echo')])]
    const script = {
      tools: [tool('tool_a'), tool('echo', { annotations: { readOnlyHint: true, openWorldHint: false } })],
    }
    const config = { aggregation: { tools: [{ workload: 'be1', filter: ['tool_a'] }] } }
    const { vmcp, backend } = serving(compositeTools, script, config)
    await expect(vmcp.callTool(alice, { name: 'be1_echo' })).rejects.toBeInstanceOf(NotFound)
    await vmcp.callTool(alice, { name: 'wf' })
    expect(backend.callsOf('callTool')).toHaveLength(1)
    expect((await vmcp.lookupTool(alice, 'wf')).annotations).toMatchObject({ readOnlyHint: false, openWorldHint: true })
  })

  it('CORE-M06 answer a failed step with a result, not with an error', async () => {
    const { vmcp } = serving([workflow('wf', [step('be1_echo')])], {
      on: { callTool: async () => ({ content: [{ type: 'text', text: 'boom' }], isError: true }) },
    })
    const result = await vmcp.callTool(alice, { name: 'wf' })
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(JSON.stringify(result)).toContain('Workflow execution failed')
  })

  it('are permitted by their own name; their steps are not asked for', async () => {
    const { vmcp, names, backend } = serving(
      [workflow('wf', [step('be1_echo')])],
      {},
      { authorization: { type: 'cedar', policies: ['permit(principal, action, resource == Tool::"wf");'] } },
    )
    expect(await names()).toEqual(['wf'])
    await vmcp.callTool(alice, { name: 'wf' })
    expect(backend.callsOf('callTool')).toHaveLength(1)
  })

  it('ask the calling client', async () => {
    const client = fakeChannel({ elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })
    const { vmcp, backend } = serving([
      workflow('greet', [
        {
          id: 'q',
          type: 'elicitation',
          message: 'Name?',
          schema: { type: 'object', properties: { name: { type: 'string' } } },
        },
        step('be1_echo', { arguments: { who: '{{.steps.q.output.content.name}}' }, dependsOn: ['q'] }),
      ]),
    ])
    await vmcp.callTool(alice, { name: 'greet' }, { client })
    expect(client.questions).toMatchObject([{ message: 'Name?' }])
    expect(backend.callsOf('callTool')[0]?.request).toMatchObject({ arguments: { who: 'Ada' } })
  })

  it('hand forwarded headers and the caller to their steps, and headers made from arguments', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    const { vmcp, backend } = serving([workflow('wf', [step('be1.echo', { arguments: { region: 'eu' } })])], {
      tools: [tool('echo', { inputSchema })],
    })
    await vmcp.callTool(alice, { name: 'wf' }, { forwardedHeaders: { 'x-tenant': 't' } })
    expect(backend.callsOf('callTool')).toMatchObject([
      {
        identity: alice,
        options: { forwardedHeaders: { 'x-tenant': 't' }, parameterHeaders: { 'Mcp-Param-Region': 'eu' } },
      },
    ])
  })

  it('suspend for a client that answers by calling again, and go on with its answers', async () => {
    const client = fakeChannel({ answers: 'retry' })
    const asking = workflow('ask', [
      {
        id: 'q',
        type: 'elicitation',
        message: 'Name?',
        schema: { type: 'object', properties: { name: { type: 'string' } } },
      },
      step('be1_echo', { arguments: { who: '{{.steps.q.output.content.name}}' }, dependsOn: ['q'] }),
    ])
    const { vmcp, backend } = serving([asking])
    const first = await vmcp.callTool(alice, { name: 'ask' }, { client })
    if (!isInputRequired(first)) return expect.unreachable('the workflow did not ask')
    expect(Object.values(first.inputRequests ?? {})).toMatchObject([{ method: 'elicitation/create' }])
    expect(backend.callsOf('callTool')).toEqual([])
    const answers = Object.keys(first.inputRequests ?? {}).map((key) => [
      key,
      { action: 'accept', content: { name: 'Ada' } },
    ])
    const retry = { name: 'ask', inputResponses: Object.fromEntries(answers), requestState: first.requestState ?? '' }
    await vmcp.callTool(alice, retry, { client })
    expect(backend.callsOf('callTool')).toMatchObject([{ request: { name: 'echo', arguments: { who: 'Ada' } } }])
    await expect(vmcp.callTool(alice, { ...retry, requestState: 'forged' }, { client })).rejects.toMatchObject({
      _tag: 'InvalidRequestState',
    })
  })

  it('are cancelled down to the backend', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const { vmcp } = serving([workflow('wf', [step('be1_echo')])], {
      on: {
        callTool: (_, _request, options) => {
          signal = options?.signal
          queueMicrotask(() => controller.abort())
          return untilAborted(options?.signal)
        },
      },
    })
    const call = vmcp.callTool(alice, { name: 'wf' }, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ _tag: 'Cancelled' })
    expect(signal?.aborted).toBe(true)
  })
})
