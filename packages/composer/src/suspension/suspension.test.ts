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
import { gate } from '../../test/gate.js'
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

  it('cannot wait when its arguments are not JSON', async () => {
    const given = { repo: 'acme/widget', big: 1n } as unknown as JsonObject

    const ended = await endOf(createComposer(), { arguments: given })

    expect(ended.error).toMatchObject({ reason: { _tag: 'CannotSuspend', stepId: 'confirm' } })
  })

  it('fails at the step whose tool is gone when the answer comes', async () => {
    const composer = createComposer()
    const asked = await askedBy(composer)

    const ended = await endOf(composer, { tools: scriptedTools({}), answer: { to: asked, with: accept } })

    expect(ended.error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'deploy' } })
  })

  it('lets a failing sibling that continues end before it asks', async () => {
    const workflow = {
      ...deployment,
      steps: deployment.steps.map((step) =>
        step.id === 'beside' ? { ...step, onError: { action: 'continue' } as const } : step,
      ),
    }
    const tools = scriptedTools({
      build: () => structured({ id: 7 }),
      beside: () => fails('broken'),
      deploy: () => structured({}),
    })
    const composer = createComposer()
    const asked = await askedBy(composer, { workflow, tools })

    const ended = await endOf(composer, { workflow, tools, answer: { to: asked, with: accept } })

    expect(ended.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'failed'])
    expect(tools.calls.filter(({ name }) => name === 'beside')).toHaveLength(1)
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
    expect(composer.runs().map(({ status }) => status)).toEqual(['cancelled'])
    await expect(run(composer, { answer: { to: asked, with: accept } })).rejects.toBeInstanceOf(InvalidRequestState)
  })
})

describe('a workflow that is stopped around its pause', () => {
  it('calls nothing when its caller leaves, or the composer is closed, while its state is opened', async () => {
    for (const stop of ['caller', 'close'] as const) {
      const opening = gate()
      const store = { use: () => opening.passed.then(() => true) }
      const composer = createComposer({ suspension: { keys, store } })
      const { requestState = '' } = await askedBy(composer)
      const tools = deploymentTools()
      const leaving = new AbortController()
      const resumed = composer.run(
        alice,
        { workflow: deployment, tools, arguments: { repo: 'acme/widget' }, requestState, inputResponses: accept },
        { client: caller, signal: leaving.signal },
      )

      const closed = stop === 'close' ? composer.close() : undefined
      if (stop === 'caller') leaving.abort()
      opening.open()

      await expect(resumed).rejects.toMatchObject({ _tag: 'Cancelled' })
      await closed
      expect(tools.calls).toEqual([])
    }
  })

  it('does not ask when it is cancelled while its state is sealed', async () => {
    const composer = createComposer()
    const cancels = {
      toJSON: () => {
        composer.cancel(composer.runs()[0]?.runId ?? '')
        return {}
      },
    }
    const tools = scriptedTools({ build: () => structured({ cancels }), beside: () => structured({}) })

    const ended = await endOf(composer, { tools })

    expect(ended).toMatchObject({ status: 'cancelled', error: { _tag: 'Cancelled' } })
    expect(composer.runs().map(({ status }) => status)).toEqual(['cancelled'])
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
    for (const requestState of [null, 7, {}, [state]]) {
      const to = { resultType: 'input_required', requestState } as unknown as InputRequired
      await refused(composer, { answer: { to, with: accept } })
    }
  })

  it('is refused when another algorithm, no key or another key is named in it', async () => {
    const composer = createComposer({ suspension: { keys } })
    const [, ...rest] = ((await askedBy(composer)).requestState ?? '').split('.')
    const headers = [
      { alg: 'none' },
      { alg: 'dir', enc: 'A128GCM', kid: 'k1' },
      { alg: 'dir', enc: 'A256GCM' },
      { alg: 'dir', enc: 'A256GCM', kid: '__proto__' },
      { alg: 'dir', enc: 'A256GCM', kid: 'k1', zip: 'DEF' },
      { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', kid: 'k1', p2c: 1e9, p2s: 'AAAA' },
    ]

    for (const header of headers) {
      const requestState = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
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

  it('is used once where the steps after it called a tool', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    await endOf(composer, { answer })

    await refused(composer, { answer })
  })

  it('is refused for answers while it is being used', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    const tools = deploymentTools()

    const outcomes = await Promise.allSettled([run(composer, { tools, answer }), run(composer, { tools, answer })])

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(tools.calls.map(({ name }) => name)).toEqual(['deploy'])
  })

  it('may be used again when no tool was called since: after a refusal, a wrong answer, none, and a lost one', async () => {
    const composer = createComposer({ suspension: { keys } })
    const to = await askedBy(composer)
    const answers: readonly unknown[] = [
      { confirm: { action: 'decline' } },
      { confirm: { action: 'yes' } },
      { confirm: null },
      { confirm: { action: 'accept', content: 'x'.repeat(1_048_577) } },
      { confirm: [] },
      {},
      'text',
    ]
    for (const inputResponses of answers) {
      await run(composer, { answer: { to, with: inputResponses as InputResponses } })
    }

    expect((await endOf(composer, { answer: { to, with: accept } })).status).toBe('completed')
    await refused(composer, { answer: { to, with: accept } })
  })

  it('may be used again by a caller who gave up before any tool was called', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    const leaving = new AbortController()
    const request = {
      workflow: deployment,
      tools: deploymentTools(),
      arguments: { repo: 'acme/widget' },
      requestState: answer.to.requestState ?? '',
      inputResponses: answer.with,
    }

    const left = composer.run(alice, request, { client: caller, signal: leaving.signal })
    leaving.abort()

    await expect(left).rejects.toMatchObject({ _tag: 'Cancelled' })
    expect(request.tools.calls).toEqual([])
    expect(composer.runs().map(({ status }) => status)).toEqual(['waiting_for_elicitation'])
    expect((await endOf(composer, { answer })).status).toBe('completed')
  })

  it('is used up by a caller who gave up after a tool was called', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    const leaving = new AbortController()
    const tools = scriptedTools({
      deploy: () => {
        leaving.abort()
        return new Promise(() => {})
      },
    })
    const request = {
      workflow: deployment,
      tools,
      arguments: { repo: 'acme/widget' },
      requestState: answer.to.requestState ?? '',
      inputResponses: answer.with,
    }

    await expect(composer.run(alice, request, { client: caller, signal: leaving.signal })).rejects.toMatchObject({
      _tag: 'Cancelled',
    })

    await refused(composer, { answer })
  })

  it('shares its one use with the states that followed without a tool in between', async () => {
    const question = (id: string, dependsOn: string[] = []) =>
      ({ id, type: 'elicitation', message: id, schema, dependsOn }) as const
    const workflow = workflowOf({
      steps: [question('a'), question('b', ['a']), toolStep('deploy', { dependsOn: ['b'] })],
    })
    const composer = createComposer({ suspension: { keys } })
    const yes = { action: 'accept', content: {} }
    const first = await askedBy(composer, { workflow })
    const second = await askedBy(composer, { workflow, answer: { to: first, with: { a: yes } } })
    const other = await askedBy(composer, { workflow, answer: { to: first, with: { a: yes } } })

    await endOf(composer, { workflow, answer: { to: second, with: { b: yes } } })

    await refused(composer, { workflow, answer: { to: other, with: { b: yes } } })
    await refused(composer, { workflow, answer: { to: first, with: { a: yes } } })
  })

  it('is used once whatever came after it when the store cannot take that back', async () => {
    const used = new Set<string>()
    const store = { use: async (id: string) => !used.has(id) && used.add(id) !== undefined }
    const composer = createComposer({ suspension: { keys, store } })
    const first = await askedBy(composer)
    const second = await askedBy(composer, { answer: { to: first, with: {} } })

    await refused(composer, { answer: { to: first, with: accept } })
    expect((await endOf(composer, { answer: { to: second, with: accept } })).status).toBe('completed')
  })

  it('goes on with a new one when the store fails to take a use back', async () => {
    const used = new Set<string>()
    const store = {
      use: async (id: string) => !used.has(id) && used.add(id) !== undefined,
      release: () => Promise.reject(new Error('the store is down')),
    }
    const composer = createComposer({ suspension: { keys, store } })
    const second = await askedBy(composer, { answer: { to: await askedBy(composer), with: {} } })

    expect((await endOf(composer, { answer: { to: second, with: accept } })).status).toBe('completed')
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

  it('needs a key of each id', () => {
    const [key] = keys

    expect(() =>
      createComposer({ suspension: { keys: [...keys, { id: key?.id ?? '', secret: randomBytes(32) }] } }),
    ).toThrow('is the id of another key')
  })

  it('needs keys of 32 bytes', () => {
    expect(() => createComposer({ suspension: { keys: [{ id: 'k', secret: 'c2hvcnQ=' }] } })).toThrow(
      'must be at least 32 bytes',
    )
  })
})
