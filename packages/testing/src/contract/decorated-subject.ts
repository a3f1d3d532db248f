import type { Decorator } from '@vmcp/domain'

import { prompt, resource, tool } from '../offers.js'
import { scriptedBackend } from '../scripted-backend.js'
import { untilAborted } from '../until-aborted.js'
import { vmcpOver } from '../vmcp-over.js'
import type { ContractSubject } from './contract-subject.js'

const using = ['callTool', 'readResource', 'getPrompt']

/**
 * A subject for a decorator, around a hand-made `VMCP`: `describeVmcpContract(name, () => decoratedSubject(decorator))`.
 * What is refused is `secret` of each kind; a decorator that hides more must leave `echo`, `hang`, `file:///a` and `greet`.
 */
export async function decoratedSubject(decorator: Decorator): Promise<ContractSubject> {
  let started = (): void => {}
  let aborted = (): void => {}
  const hanging = {
    tool: 'hang',
    started: new Promise<void>((resolve) => (started = resolve)),
    aborted: new Promise<void>((resolve) => (aborted = resolve)),
  }
  const backend = scriptedBackend({
    id: 'b1',
    tools: [tool('echo'), tool('hang'), tool('secret')],
    resources: [resource('file:///a'), resource('file:///secret')],
    prompts: [prompt('greet'), prompt('secret')],
    on: {
      callTool: async (_, request, options) => {
        if (request.name !== 'hang') return { content: [], structuredContent: request.arguments ?? {} }
        options?.signal?.addEventListener('abort', () => aborted())
        started()
        return untilAborted(options?.signal)
      },
    },
  })
  const inner = vmcpOver(backend, { refuses: ['secret', 'file:///secret'] })
  return {
    vmcp: decorator(inner),
    inner,
    identity: null,
    allowed: { tool: 'echo', resource: 'file:///a', prompt: 'greet' },
    refused: { tool: 'secret', resource: 'file:///secret', prompt: 'secret' },
    refusedMissing: { tool: 'none', resource: 'file:///none', prompt: 'none' },
    missing: { tool: 'nothing', resource: 'file:///nothing', prompt: 'nothing' },
    hanging,
    reached: () => backend.calls.filter(({ method }) => using.includes(method)).length,
  }
}
