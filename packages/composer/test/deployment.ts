import { Identity } from '@vmcp/domain'
import type { ClientChannel, InputRequired, InputResponses, JsonObject, Workflow } from '@vmcp/domain'
import { randomBytes } from 'node:crypto'
import type { Composer } from '../src/composer.js'
import type { WorkflowRun } from '../src/workflow-run.js'
import { toolStep, workflowOf } from './run-for-test.js'
import { scriptedTools, structured } from './scripted-tools.js'
import type { ScriptedTools } from './scripted-tools.js'

/** A client that answers by calling again. */
export const caller: ClientChannel = {
  capabilities: { elicitation: { form: true } },
  answers: 'retry',
  wantsProgress: false,
  notify() {},
}

export const alice = new Identity({ issuer: 'https://idp.example.com', subject: 'alice' })
export const keys = [{ id: 'k1', secret: randomBytes(32) }]
export const schema = { type: 'object', properties: { environment: { type: 'string' } } }
export const accept: InputResponses = { confirm: { action: 'accept', content: { environment: 'production' } } }

/** Builds, asks, deploys; `beside` depends on nothing. */
export const deployment: Workflow = workflowOf({
  steps: [
    toolStep('build'),
    { id: 'confirm', type: 'elicitation', message: 'Deploy {{.params.repo}}?', schema, dependsOn: ['build'] },
    toolStep('deploy', {
      arguments: { env: '{{.steps.confirm.output.content.environment}}', id: '{{.steps.build.output.id}}' },
      dependsOn: ['confirm'],
    }),
    toolStep('beside'),
  ],
})

/** Tools for it, that all work. */
export function deploymentTools(): ScriptedTools {
  return scriptedTools({
    build: () => structured({ id: 7 }),
    beside: () => structured({}),
    deploy: () => structured({ done: true }),
  })
}

/** A call of a test: that of the deployment by alice, unless it says otherwise. */
export interface Call {
  readonly workflow?: Workflow
  readonly tools?: ScriptedTools
  readonly identity?: Identity | null
  readonly arguments?: JsonObject
  readonly answer?: { readonly to: InputRequired; readonly with: InputResponses }
  readonly client?: ClientChannel
}

export function run(composer: Composer, call: Call = {}): Promise<WorkflowRun | InputRequired> {
  const { answer } = call
  const request = {
    workflow: call.workflow ?? deployment,
    tools: call.tools ?? deploymentTools(),
    arguments: call.arguments ?? { repo: 'acme/widget' },
    ...(answer !== undefined && { inputResponses: answer.with }),
    ...(answer?.to.requestState !== undefined && { requestState: answer.to.requestState }),
  }
  return composer.run(call.identity === undefined ? alice : call.identity, request, { client: call.client ?? caller })
}

/** The questions of a run that must have some. */
export async function askedBy(composer: Composer, call: Call = {}): Promise<InputRequired> {
  const outcome = await run(composer, call)
  if ('resultType' in outcome) return outcome
  throw new Error(`the run did not ask: ${outcome.status}`)
}

/** A run that must end. */
export async function endOf(composer: Composer, call: Call): Promise<WorkflowRun> {
  const outcome = await run(composer, call)
  if ('resultType' in outcome) throw new Error('the run asks again')
  return outcome
}
