import { decorate, delegate, Identity, restrict } from '@vmcp/domain'
import { describeVmcpContract, prompt, resource, scriptedBackend, tool, untilAborted } from '@vmcp/testing'
import type { ContractSubject } from '@vmcp/testing'

import { createVMCP } from './create-vmcp.js'

const alice = new Identity({ issuer: 'https://issuer.example', subject: 'alice', claims: { sub: 'alice' } })

async function subject(): Promise<ContractSubject> {
  let started = (): void => {}
  let aborted = (): void => {}
  const hanging = {
    tool: 'b1_hang',
    started: new Promise<void>((resolve) => (started = resolve)),
    aborted: new Promise<void>((resolve) => (aborted = resolve)),
  }
  const b1 = scriptedBackend({
    id: 'b1',
    tools: [tool('echo'), tool('hang'), tool('secret'), tool('hidden')],
    resources: [resource('file:///a'), resource('file:///secret'), resource('file:///hidden')],
    prompts: [prompt('greet'), prompt('secret'), prompt('hidden')],
    on: {
      callTool: async (_, request, options) => {
        if (request.name !== 'hang') return { content: [], structuredContent: request.arguments ?? {} }
        options?.signal?.addEventListener('abort', () => aborted())
        started()
        return untilAborted(options?.signal)
      },
    },
  })
  const vmcp = createVMCP({
    name: 'gateway',
    backends: [b1],
    authorization: {
      type: 'cedar',
      policies: [
        'permit(principal, action, resource);',
        'forbid(principal, action == Action::"call_tool", resource == Tool::"b1_secret");',
        'forbid(principal, action == Action::"call_tool", resource == Tool::"b1_none_secret");',
        'forbid(principal, action == Action::"read_resource", resource == Resource::"file:///secret");',
        'forbid(principal, action == Action::"read_resource", resource == Resource::"file:///none-secret");',
        'forbid(principal, action == Action::"get_prompt", resource == Prompt::"b1_secret");',
        'forbid(principal, action == Action::"get_prompt", resource == Prompt::"b1_none_secret");',
      ],
    },
  })
  return {
    vmcp,
    identity: alice,
    allowed: { tool: 'b1_echo', resource: 'file:///a', prompt: 'b1_greet' },
    refused: { tool: 'b1_secret', resource: 'file:///secret', prompt: 'b1_secret' },
    refusedMissing: { tool: 'b1_none_secret', resource: 'file:///none-secret', prompt: 'b1_none_secret' },
    missing: { tool: 'b1_nothing', resource: 'file:///nothing', prompt: 'b1_nothing' },
    hanging,
    reached: () => b1.calls.filter(({ method }) => ['callTool', 'readResource', 'getPrompt'].includes(method)).length,
  }
}

describeVmcpContract('createVMCP', subject)

describeVmcpContract('a decorator that watches', async () => {
  const { vmcp: inner, ...rest } = await subject()
  return { ...rest, inner, vmcp: delegate(inner, { callTool: (...call) => inner.callTool(...call) }) }
})

describeVmcpContract('a decorator that restricts', async () => {
  const { vmcp: inner, ...rest } = await subject()
  const vmcp = restrict(inner, {
    tool: (_, { name }) => name !== 'b1_hidden',
    resource: async (_, { uri }) => uri !== 'file:///hidden',
    prompt: (_, { name }) => name !== 'b1_hidden',
  })
  const hidden = { tool: 'b1_hidden', resource: 'file:///hidden', prompt: 'b1_hidden' }
  return { ...rest, inner, vmcp, refused: hidden, refusedMissing: rest.missing }
})

describeVmcpContract('a chain of decorators', async () => {
  const { vmcp: inner, ...rest } = await subject()
  const vmcp = decorate(inner, [
    (next) =>
      restrict(next, {
        tool: (_, { name }) => name !== 'b1_hidden',
        resource: (_, { uri }) => uri !== 'file:///hidden',
      }),
    (next) => delegate(next, {}),
    (next) => restrict(next, { prompt: (_, { name }) => name !== 'b1_hidden' }),
  ])
  const hidden = { tool: 'b1_hidden', resource: 'file:///hidden', prompt: 'b1_hidden' }
  return { ...rest, inner, vmcp, refused: hidden, refusedMissing: rest.missing }
})
