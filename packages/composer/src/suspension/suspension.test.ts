import { ElicitationDeclined, ElicitationNotConfigured, InvalidRequestState } from '@vmcp/domain'
import type { ClientChannel, JsonObject, WorkflowEvent } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import {
  accept,
  alice,
  askedBy,
  caller,
  deployment,
  deploymentTools,
  endOf,
  keys,
  run,
  schema,
} from '../../test/deployment.js'
import { gate } from '../../test/gate.js'
import { toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, scriptedTools, structured } from '../../test/scripted-tools.js'
import { createComposer } from '../composer.js'

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
