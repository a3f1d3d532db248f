import {
  ElicitationDeclined,
  ElicitationNotConfigured,
  Identity,
  InvalidRequestState,
  isInputRequired,
} from '@vmcp/domain'
import type { ClientChannel, InputRequired, InputResponses, JsonObject, Workflow, WorkflowEvent } from '@vmcp/domain'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, scriptedTools, structured } from '../../test/scripted-tools.js'
import type { ScriptedTools } from '../../test/scripted-tools.js'
import { createComposer } from '../composer.js'
import type { Composer } from '../composer.js'
import type { WorkflowRun } from '../workflow-run.js'

const caller: ClientChannel = {
  capabilities: { elicitation: { form: true } },
  answers: 'retry',
  wantsProgress: false,
  notify() {},
}
const alice = new Identity({ issuer: 'https://idp.example.com', subject: 'alice' })
const keys = [{ id: 'k1', secret: randomBytes(32) }]
const schema = { type: 'object', properties: { environment: { type: 'string' } } }
const accept: InputResponses = { confirm: { action: 'accept', content: { environment: 'production' } } }

/** Builds, asks, deploys; `beside` depends on nothing. */
const deployment: Workflow = workflowOf({
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

function deploymentTools(): ScriptedTools {
  return scriptedTools({
    build: () => structured({ id: 7 }),
    beside: () => structured({}),
    deploy: () => structured({ done: true }),
  })
}

interface Call {
  readonly workflow?: Workflow
  readonly tools?: ScriptedTools
  readonly identity?: Identity | null
  readonly arguments?: JsonObject
  readonly answer?: { readonly to: InputRequired; readonly with: InputResponses }
  readonly client?: ClientChannel
}

function run(composer: Composer, call: Call = {}): Promise<WorkflowRun | InputRequired> {
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

async function askedBy(composer: Composer, call: Call = {}): Promise<InputRequired> {
  const outcome = await run(composer, call)
  if ('resultType' in outcome) return outcome
  throw new Error(`the run did not ask: ${outcome.status}`)
}

async function endOf(composer: Composer, call: Call): Promise<WorkflowRun> {
  const outcome = await run(composer, call)
  if ('resultType' in outcome) throw new Error('the run asks again')
  return outcome
}

describe('a workflow that asks a caller who answers by calling again', () => {
  it('runs everything that does not wait for the answer, then gives the question by step id', async () => {
    const tools = deploymentTools()

    const asked = await askedBy(createComposer(), { tools })

    expect(tools.calls.map(({ name }) => name).sort()).toEqual(['beside', 'build'])
    expect(asked).toEqual({
      resultType: 'input_required',
      inputRequests: {
        confirm: {
          method: 'elicitation/create',
          params: { message: 'Deploy acme/widget?', requestedSchema: schema },
        },
      },
      requestState: expect.any(String) as string,
    })
  })

  it('goes on where it stopped, in another composer with the same key, and repeats no step', async () => {
    const tools = deploymentTools()
    const asked = await askedBy(createComposer({ suspension: { keys } }))

    const ended = await endOf(createComposer({ suspension: { keys } }), { tools, answer: { to: asked, with: accept } })

    expect(tools.calls).toEqual([{ name: 'deploy', arguments: { env: 'production', id: 7 } }])
    expect(ended.status).toBe('completed')
    expect(ended.output).toEqual({ done: true })
    expect(ended.steps.map(({ stepId, status }) => [stepId, status])).toEqual([
      ['build', 'completed'],
      ['confirm', 'completed'],
      ['deploy', 'completed'],
      ['beside', 'completed'],
    ])
  })

  it('does what the step says to a decline', async () => {
    const composer = createComposer()
    const asked = await askedBy(composer)

    const ended = await endOf(composer, { answer: { to: asked, with: { confirm: { action: 'decline' } } } })

    expect(ended.error?.cause).toBeInstanceOf(ElicitationDeclined)
  })

  it('really skips the remaining steps, also after the pause', async () => {
    const tools = deploymentTools()
    const workflow = {
      ...deployment,
      steps: deployment.steps.map((step) =>
        step.type === 'elicitation' ? { ...step, onDecline: { action: 'skip_remaining' } as const } : step,
      ),
    }
    const composer = createComposer()
    const asked = await askedBy(composer, { workflow, tools: deploymentTools() })

    const ended = await endOf(composer, {
      workflow,
      tools,
      answer: { to: asked, with: { confirm: { action: 'decline' } } },
    })

    expect(tools.calls).toEqual([])
    expect(ended.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'skipped', 'completed'])
  })

  it('asks again when the answer is missing', async () => {
    const composer = createComposer()
    const asked = await askedBy(composer)

    const again = await askedBy(composer, { answer: { to: asked, with: {} } })

    expect(Object.keys(again.inputRequests ?? {})).toEqual(['confirm'])
    expect((await endOf(composer, { answer: { to: again, with: accept } })).status).toBe('completed')
  })

  it('asks several questions at once, and in rounds', async () => {
    const question = (id: string, dependsOn: string[] = []) =>
      ({ id, type: 'elicitation', message: id, schema, dependsOn }) as const
    const workflow = workflowOf({ steps: [question('a'), question('b'), question('c', ['a', 'b'])] })
    const composer = createComposer()
    const yes = { action: 'accept', content: {} }

    const first = await askedBy(composer, { workflow })
    const second = await askedBy(composer, { workflow, answer: { to: first, with: { a: yes, b: yes } } })
    const ended = await endOf(composer, { workflow, answer: { to: second, with: { c: yes } } })

    expect(Object.keys(first.inputRequests ?? {})).toEqual(['a', 'b'])
    expect(Object.keys(second.inputRequests ?? {})).toEqual(['c'])
    expect(ended.status).toBe('completed')
  })

  it('takes no answer to a question that was not asked', async () => {
    const question = (id: string, dependsOn: string[] = []) =>
      ({ id, type: 'elicitation', message: id, schema, dependsOn }) as const
    const workflow = workflowOf({ steps: [question('a'), question('b', ['a'])] })
    const composer = createComposer()
    const yes = { action: 'accept', content: {} }
    const first = await askedBy(composer, { workflow })

    const second = await askedBy(composer, { workflow, answer: { to: first, with: { a: yes, b: yes } } })

    expect(Object.keys(second.inputRequests ?? {})).toEqual(['b'])
  })

  it('fails when the caller cannot show a form', async () => {
    const ended = await endOf(createComposer(), { client: { ...caller, capabilities: {} } })

    expect(ended.error?.cause).toBeInstanceOf(ElicitationNotConfigured)
  })

  it('fails rather than asks when another step fails', async () => {
    const tools = scriptedTools({ build: () => structured({}), beside: () => fails('broken') })

    const ended = await endOf(createComposer(), { tools })

    expect(ended.status).toBe('failed')
  })

  it('says how large its state is when that is over the limit', async () => {
    const tools = scriptedTools({
      build: () => structured({ text: 'x'.repeat(5000) }),
      beside: () => structured({}),
    })

    const ended = await endOf(createComposer({ suspension: { maxBytes: 4096 } }), { tools })

    expect(ended.status).toBe('failed')
    expect(ended.error?.message).toMatch(
      /^the workflow cannot wait for an answer: its state is too large: \d+ bytes \(max 4096\)$/,
    )
  })

  it('fails when its state is not JSON', async () => {
    const tools = scriptedTools({ build: () => structured({ big: 1n }), beside: () => structured({}) })

    const ended = await endOf(createComposer(), { tools })

    expect(ended.error?.message).toBe('the workflow cannot wait for an answer: its state is not JSON')
  })

  it('goes on with the progress it had', async () => {
    const told: unknown[] = []
    const client: ClientChannel = { ...caller, wantsProgress: true, notify: (notification) => told.push(notification) }
    const composer = createComposer()
    const asked = await askedBy(composer)

    await endOf(composer, { client, answer: { to: asked, with: accept } })

    expect(told).toEqual([
      { type: 'progress', progress: 3, total: 4, message: 'confirm' },
      { type: 'progress', progress: 4, total: 4, message: 'deploy' },
    ])
  })

  it('is one run to the observer: it starts once and ends once', async () => {
    const events: WorkflowEvent[] = []
    const composer = createComposer({ observer: { observe: (event) => events.push(event) } })
    const asked = await askedBy(composer)

    await endOf(composer, { answer: { to: asked, with: accept } })

    expect(events.filter(({ type }) => type.startsWith('workflow-')).map(({ type }) => type)).toEqual([
      'workflow-started',
      'workflow-completed',
    ])
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(1)
    const starts = events.filter((event) => event.type === 'step-started')
    expect(starts.map(({ stepId }) => stepId)).toEqual(['build', 'beside', 'confirm', 'deploy'])
  })

  it('does not ask the condition of a question again', async () => {
    const workflow = workflowOf({
      steps: [
        {
          id: 'confirm',
          type: 'elicitation',
          message: 'Go on?',
          schema,
          condition: '{{if .steps.beside}}false{{else}}true{{end}}',
        },
        toolStep('beside'),
      ],
    })
    const composer = createComposer()
    const asked = await askedBy(composer, { workflow })

    const ended = await endOf(composer, { workflow, answer: { to: asked, with: accept } })

    expect(ended.steps.map(({ status }) => status)).toEqual(['completed', 'completed'])
  })

  it('shows that it waits, and can be cancelled then', async () => {
    const composer = createComposer()
    const asked = await askedBy(composer)
    const [waiting] = composer.runs()

    composer.cancel(waiting?.runId ?? '')

    expect(waiting?.status).toBe('waiting_for_elicitation')
    await expect(run(composer, { answer: { to: asked, with: accept } })).rejects.toBeInstanceOf(InvalidRequestState)
  })
})

describe('the requestState of a workflow', () => {
  async function refused(composer: Composer, call: Call): Promise<void> {
    const tools = deploymentTools()
    await expect(run(composer, { tools, ...call })).rejects.toBeInstanceOf(InvalidRequestState)
    expect(tools.calls).toEqual([])
  }

  it('is refused when it is forged or changed in any place', async () => {
    const composer = createComposer({ suspension: { keys } })
    const asked = await askedBy(composer)
    const state = asked.requestState ?? ''
    const changed = [0, 30, state.length >> 1, state.length - 10].map(
      (at) => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1),
    )

    for (const requestState of ['', 'x', 'a.b.c.d.e', state.slice(0, -1), ...changed]) {
      await refused(composer, { answer: { to: { resultType: 'input_required', requestState }, with: accept } })
    }
  })

  it('is refused for another caller, workflow, definition or arguments', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }

    await refused(composer, { answer, identity: null })
    await refused(composer, { answer, identity: new Identity({ issuer: alice.issuer, subject: 'bob' }) })
    await refused(composer, { answer, identity: new Identity({ issuer: 'https://other', subject: 'alice' }) })
    await refused(composer, { answer, workflow: { ...deployment, name: 'other' } })
    await refused(composer, { answer, workflow: { ...deployment, steps: deployment.steps.slice(1) } })
    await refused(composer, { answer, arguments: { repo: 'acme/other' } })
    expect((await endOf(composer, { answer })).status).toBe('completed')
  })

  it('is used once', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    await endOf(composer, { answer })

    await refused(composer, { answer })
  })

  it('is used once among composers that share a store', async () => {
    const used = new Set<string>()
    const store = { use: async (id: string) => !used.has(id) && used.add(id) !== undefined }
    const answer = { to: await askedBy(createComposer({ suspension: { keys, store } })), with: accept }
    await endOf(createComposer({ suspension: { keys, store } }), { answer })

    await refused(createComposer({ suspension: { keys, store } }), { answer })
  })

  it('is refused when nobody can say whether it was used', async () => {
    const store = { use: () => Promise.reject(new Error('the store is down')) }

    await refused(createComposer({ suspension: { keys, store } }), {
      answer: { to: await askedBy(createComposer({ suspension: { keys } })), with: accept },
    })
  })

  it('is refused after its time', async () => {
    const composer = createComposer({ suspension: { keys, ttlMs: -1 } })

    await refused(composer, { answer: { to: await askedBy(composer), with: accept } })
  })

  it('is refused by a process with another key, and by one without a configured key', async () => {
    const answer = { to: await askedBy(createComposer({ suspension: { keys } })), with: accept }

    await refused(createComposer({ suspension: { keys: [{ id: 'k1', secret: randomBytes(32) }] } }), { answer })
    await refused(createComposer(), { answer })
  })

  it('opens with an older key after a new one was put first', async () => {
    const answer = { to: await askedBy(createComposer({ suspension: { keys } })), with: accept }
    const rotated = [{ id: 'k2', secret: randomBytes(48).toString('base64') }, ...keys]

    const ended = await endOf(createComposer({ suspension: { keys: rotated } }), { answer })

    expect(ended.status).toBe('completed')
  })

  it('shows nothing of what is inside', async () => {
    const asked = await askedBy(createComposer())
    const [header = ''] = (asked.requestState ?? '').split('.')

    expect(isInputRequired(asked)).toBe(true)
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
      kid: 'process',
    })
  })

  it('needs keys of 32 bytes', () => {
    expect(() => createComposer({ suspension: { keys: [{ id: 'k', secret: 'c2hvcnQ=' }] } })).toThrow(
      'must be at least 32 bytes',
    )
  })
})
