import { Identity } from '@vmcp/domain'
import type { Workflow } from '@vmcp/domain'
import { createComposer } from '../src/index.js'

/**
 * A process of its own that runs one part of a workflow: `ask` until it asks, or `resume` with an answer.
 * It reads `{ key, requestState? }` from its arguments and writes `{ calls, outcome }`.
 */
const [mode = '', input = ''] = process.argv.slice(2)
const { key, requestState } = JSON.parse(input) as { readonly key: string; readonly requestState?: string }

const workflow: Workflow = {
  name: 'deploy',
  description: 'Builds, asks and deploys',
  steps: [
    { id: 'build', type: 'tool', tool: 'build' },
    { id: 'confirm', type: 'elicitation', message: 'Deploy?', schema: { type: 'object' }, dependsOn: ['build'] },
    {
      id: 'deploy',
      type: 'tool',
      tool: 'deploy',
      arguments: { build: '{{.steps.build.output.id}}' },
      dependsOn: ['confirm'],
    },
  ],
}

const calls: unknown[] = []
const tools = {
  resolve: (reference: string) => ({ name: reference }),
  call: async (_identity: unknown, request: { readonly name: string; readonly arguments?: unknown }) => {
    calls.push([request.name, request.arguments ?? null])
    return { content: [], structuredContent: { id: 7 } }
  },
}
const composer = createComposer({ suspension: { keys: [{ id: 'shared', secret: key }] } })
const identity = new Identity({ issuer: 'https://idp.example.com', subject: 'alice' })
const client = {
  capabilities: { elicitation: { form: true } },
  answers: 'retry',
  wantsProgress: false,
  notify() {},
} as const

const answer =
  mode === 'resume' && requestState !== undefined
    ? { requestState, inputResponses: { confirm: { action: 'accept', content: {} } } }
    : {}
const outcome = await composer.run(identity, { workflow, tools, ...answer }, { client })
process.stdout.write(JSON.stringify({ calls, outcome }))
