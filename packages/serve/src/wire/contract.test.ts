import type { VMCP } from '@vmcp/domain'
import { AuthorizationDenied, NotFound, text } from '@vmcp/domain'
import type { ContractSubject } from '@vmcp/testing'
import { describeVmcpContract, untilAborted } from '@vmcp/testing'
import { serve } from '../serve.js'
import { deferred } from '../testing/deferred.js'
import { fakeVmcp } from '../testing/fake-vmcp.js'
import { connectVmcp } from '../testing/wire-vmcp.js'

describeVmcpContract('a served VMCP, through a session', () => subjectOf('2025'))
describeVmcpContract('a served VMCP, statelessly', () => subjectOf('2026'))

async function subjectOf(era: '2025' | '2026'): Promise<ContractSubject> {
  const started = deferred()
  const aborted = deferred()
  const backend = { reached: 0 }
  const vmcp = offering(backend, async (signal) => {
    started.resolve()
    await untilAborted(signal).finally(() => aborted.resolve())
  })
  const server = await serve(vmcp, { name: 'vmcp', version: '1.0.0', port: 0, limits: { drainMs: 10 } })
  return {
    vmcp: await connectVmcp(server, era),
    identity: null,
    allowed: { tool: 'echo', resource: 'file:///a', prompt: 'greet' },
    refused: { tool: 'denied_tool', resource: 'denied:///a', prompt: 'denied_prompt' },
    refusedMissing: { tool: 'denied_none', resource: 'denied:///none', prompt: 'denied_none' },
    missing: { tool: 'none', resource: 'file:///none', prompt: 'none' },
    hanging: { tool: 'hang', started: started.promise, aborted: aborted.promise },
    reached: () => backend.reached,
    showsBackends: false,
  }
}

/** Offers a little, and refuses whatever is called denied. */
function offering(backend: { reached: number }, hang: (signal: AbortSignal | undefined) => Promise<void>): VMCP {
  const inputSchema = { type: 'object' }
  const tools = ['echo', 'hang'].map((name) => ({ name, inputSchema, backendId: 'b' }))
  const resources = [{ uri: 'file:///a', name: 'a', backendId: 'b' }]
  const prompts = [{ name: 'greet', backendId: 'b' }]
  const use = (listed: boolean, missing: NotFound, denied: AuthorizationDenied) => {
    if (missing.subject.startsWith('denied')) throw denied
    if (!listed) throw missing
    backend.reached += 1
  }
  return fakeVmcp({
    listTools: async () => tools,
    listResources: async () => resources,
    listResourceTemplates: async () => [{ uriTemplate: 'file:///{path}', name: 'files', backendId: 'b' }],
    listPrompts: async () => prompts,
    lookupTool: async (_identity, name) => {
      const found = tools.find((tool) => tool.name === name)
      if (found === undefined) throw new NotFound('tool', name)
      return found
    },
    callTool: async (_identity, { name }, options) => {
      const listed = tools.some((tool) => tool.name === name)
      use(listed, new NotFound('tool', name), new AuthorizationDenied('call'))
      if (name === 'hang') await hang(options?.signal)
      return { content: [text('hi')], backendId: 'b' }
    },
    readResource: async (_identity, { uri }) => {
      const listed = resources.some((resource) => resource.uri === uri)
      use(listed, new NotFound('resource', uri), new AuthorizationDenied('read'))
      return { contents: [{ uri, text: 'hi' }], backendId: 'b' }
    },
    getPrompt: async (_identity, { name }) => {
      const listed = prompts.some((prompt) => prompt.name === name)
      use(listed, new NotFound('prompt', name), new AuthorizationDenied('prompt'))
      return { messages: [{ role: 'user', content: text('hi') }], backendId: 'b' }
    },
  })
}
