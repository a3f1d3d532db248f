import { createVMCP } from '@vmcp/core'
import { decorate } from '@vmcp/domain'
import type { Decorator, ElicitationRequester, Logger, Workflow } from '@vmcp/domain'
import { startReferenceServer } from '@vmcp/sdk-adapter/testing'
import { serve } from '@vmcp/serve'
import { scriptedBackend, tool } from '@vmcp/testing'
import type { ScriptedBackend } from '@vmcp/testing'
import type { Scenario } from './scenario.js'

/** A server that offers a scenario's workflow as a tool. */
export interface RunningPath {
  readonly url: string
  /** What the steps of the workflow call. */
  readonly backend: ScriptedBackend
  close(): Promise<void>
}

/** One way from the workflow to the user. */
export type Path = (scenario: Scenario, logger: Logger) => Promise<RunningPath>

/**
 * The SDK alone: the tool handler of an SDK server runs the workflow, and its questions go out through the SDK's own call.
 * No session, channel or translation of ours is on the way.
 */
export const referencePath: Path = async (scenario, logger) => {
  const backend = recorder()
  const server = await startReferenceServer(
    async ({ name, arguments: input, signal, elicit }) => {
      const elicitation: ElicitationRequester = {
        requestElicitation: async (question, options) => {
          const { message, requestedSchema } = question
          const { action, content } = await elicit({ message, requestedSchema }, options)
          // The action goes on as it is: what is not one is for the workflow to refuse.
          return { action: action as 'accept', content }
        },
      }
      const vmcp = createVMCP({ ...coreConfig(scenario.workflow, backend), elicitation, logger })
      try {
        return { ...(await vmcp.callTool(null, { name, arguments: input }, { signal })) }
      } finally {
        await vmcp.close()
      }
    },
    { answers: scenario.client === 'lawless' ? 'raw' : 'checked' },
  )
  return { url: server.url, backend, close: () => server.close() }
}

/** Our own way: core, the client's channel, the adapter and the server; `decorators` may break it. */
export const adapterPath =
  (decorators: readonly Decorator[] = []): Path =>
  async (scenario, logger) => {
    const backend = recorder()
    const vmcp = createVMCP({ ...coreConfig(scenario.workflow, backend), logger })
    const server = await serve(decorate(vmcp, decorators), { name: 'parity', version: '1.0.0', port: 0, logger })
    return {
      url: server.url,
      backend,
      close: async () => {
        await server.close()
        await vmcp.close()
      },
    }
  }

function coreConfig(workflow: Workflow, backend: ScriptedBackend) {
  return { name: 'parity', backends: [backend], compositeTools: [workflow] }
}

function recorder(): ScriptedBackend {
  return scriptedBackend({ id: 'ops', tools: [tool('record')] })
}
