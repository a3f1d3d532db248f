import { Cancelled, NotFound } from '@vmcp/domain'
import type { CallNotification, CallOptions, ClientChannel, WorkflowEvent } from '@vmcp/domain'
import { describe, expect, it, vi } from 'vitest'
import { gate } from '../test/gate.js'
import { runToEnd, toolStep, workflowOf } from '../test/run-for-test.js'
import { fails, hangs, says, scriptedTools, structured } from '../test/scripted-tools.js'
import { createComposer } from './composer.js'

describe('Composer.run', () => {
  it('CORE-W19 rejects with Cancelled when the caller aborts, and stops the calls of its steps', async () => {
    const caller = new AbortController()
    const signals: (AbortSignal | undefined)[] = []
    const tools = scriptedTools({
      a: (args, options) => {
        signals.push(options.signal)
        setImmediate(() => caller.abort())
        return hangs(args, options)
      },
      b: () => structured({}),
    })
    const workflow = workflowOf({ steps: [toolStep('a'), toolStep('b', { dependsOn: ['a'] })] })

    const run = createComposer().run(null, { workflow, tools }, { signal: caller.signal })

    await expect(run).rejects.toBeInstanceOf(Cancelled)
    expect(tools.calls.map(({ name }) => name)).toEqual(['a'])
    expect(signals[0]?.aborted).toBe(true)
  })

  it('rejects at once when the caller has aborted already', async () => {
    const tools = scriptedTools({ a: () => structured({}) })
    const workflow = workflowOf({ steps: [toolStep('a')] })

    const run = createComposer().run(null, { workflow, tools }, { signal: AbortSignal.abort() })

    await expect(run).rejects.toBeInstanceOf(Cancelled)
    expect(tools.calls).toEqual([])
  })

  it('leaves no listener on the signal of the caller', async () => {
    const caller = new AbortController()
    const added = vi.spyOn(caller.signal, 'addEventListener')
    const removed = vi.spyOn(caller.signal, 'removeEventListener')

    await runToEnd(workflowOf({ steps: [toolStep('a')] }), scriptedTools({ a: () => structured({}) }), {
      options: { signal: caller.signal },
    })

    expect(added).toHaveBeenCalledOnce()
    expect(removed).toHaveBeenCalledWith('abort', added.mock.calls[0]?.[1])
  })

  it('hands identity and forwarded headers to every step', async () => {
    const seen: unknown[] = []
    const forwardedHeaders = { 'x-tenant': 'acme' }
    const tools = {
      ...scriptedTools({ a: () => structured({}) }),
      call: (identity: unknown, _request: unknown, options?: CallOptions) => {
        seen.push(identity, options?.forwardedHeaders)
        return Promise.resolve(structured({}))
      },
    }

    await runToEnd(workflowOf({ steps: [toolStep('a')] }), tools, { options: { forwardedHeaders } })

    expect(seen).toEqual([null, forwardedHeaders])
  })

  it('turns a tool that throws at once into a failed step', async () => {
    const tools = scriptedTools({
      a: () => {
        throw new Error('thrown')
      },
    })

    const run = await runToEnd(workflowOf({ steps: [toolStep('a')] }), {
      ...tools,
      call: () => {
        throw new Error('thrown')
      },
    })

    expect(run.error?.message).toBe('tool call failed: tool a in step a: thrown')
  })

  it('turns a resolver that throws into a failed run, and logs it', async () => {
    const error = vi.fn()
    const tools = {
      ...scriptedTools({}),
      resolve: () => {
        throw new Error('broken resolver')
      },
    }

    const run = await runToEnd(workflowOf({ steps: [toolStep('a')] }), tools, {
      config: { logger: { debug() {}, info() {}, warn() {}, error } },
    })

    expect(run.status).toBe('failed')
    expect(run.error?.message).toBe('internal error')
    expect(error).toHaveBeenCalledOnce()
  })
})

describe('Composer.status', () => {
  it('CORE-W28 does not know other runs', () => {
    expect(() => createComposer().status('unknown')).toThrow(NotFound)
    expect(() => createComposer().status('')).toThrow(NotFound)
  })

  it('CORE-W14 tells where each step of a run stands, while it runs and after', async () => {
    const started = gate()
    const go = gate()
    const tools = scriptedTools({
      a: async () => {
        started.open()
        await go.passed
        return structured({})
      },
      b: () => structured({}),
    })
    const composer = createComposer()
    const workflow = workflowOf({ steps: [toolStep('a'), toolStep('b', { dependsOn: ['a'] })] })

    const running = composer.run(null, { workflow, tools })
    await started.passed
    const [during] = composer.runs()
    go.open()
    await running
    const after = composer.status(during?.runId ?? '')

    expect(during).toMatchObject({ workflow: 'wf', status: 'running', steps: [{ stepId: 'a', status: 'running' }] })
    expect(after).toMatchObject({
      status: 'completed',
      steps: [
        { stepId: 'a', status: 'completed' },
        { stepId: 'b', status: 'completed' },
      ],
    })
  })
})

describe('Composer.cancel', () => {
  // The reference changes the stored record only; here the run is interrupted.
  it('interrupts a run down to the call of its step', async () => {
    const started = gate()
    let aborted = false
    const tools = scriptedTools({
      a: (args, options) => {
        options.signal?.addEventListener('abort', () => (aborted = true))
        started.open()
        return hangs(args, options)
      },
    })
    const composer = createComposer()

    const running = composer.run(null, { workflow: workflowOf({ steps: [toolStep('a')] }), tools })
    await started.passed
    const { runId } = composer.cancel(composer.runs()[0]?.runId ?? '')
    const run = await running

    expect(aborted).toBe(true)
    expect(run).toMatchObject({ runId, status: 'cancelled', steps: [{ stepId: 'a', status: 'cancelled' }] })
    expect(composer.status(runId).status).toBe('cancelled')
  })

  // The reference answers an error with the state; here the state is the answer.
  it('CORE-W28 leaves a run that has ended as it is and gives its status', async () => {
    const composer = createComposer()
    const tools = scriptedTools({ a: () => structured({}) })

    await composer.run(null, { workflow: workflowOf({ steps: [toolStep('a')] }), tools })
    const [run] = composer.runs()

    expect(composer.cancel(run?.runId ?? '').status).toBe('completed')
    expect(composer.status(run?.runId ?? '').status).toBe('completed')
    expect(() => composer.cancel('unknown')).toThrow(NotFound)
  })
})

describe('Composer.close', () => {
  it('interrupts what runs, waits for it and refuses new runs', async () => {
    const started = gate()
    const tools = scriptedTools({
      a: (args, options) => {
        started.open()
        return hangs(args, options)
      },
    })
    const composer = createComposer()
    const request = { workflow: workflowOf({ steps: [toolStep('a')] }), tools }

    const running = composer.run(null, request)
    const rejection = expect(running).rejects.toBeInstanceOf(Cancelled)
    await started.passed
    await composer.close()
    await composer.close()

    await rejection
    await expect(composer.run(null, request)).rejects.toBeInstanceOf(Cancelled)
  })
})

describe('the observer of a composer', () => {
  function observed(): { events: WorkflowEvent[]; observe(event: WorkflowEvent): void } {
    const events: WorkflowEvent[] = []
    return { events, observe: (event) => events.push(event) }
  }

  it('CORE-U01 hears of the start and the end of a workflow and of each step', async () => {
    const observer = observed()
    const workflow = workflowOf({ timeoutMs: 5000, steps: [toolStep('a'), toolStep('b', { dependsOn: ['a'] })] })
    const tools = scriptedTools({ a: () => structured({}), b: () => structured({}) })

    const { runId } = await runToEnd(workflow, tools, { config: { observer } })

    const durationMs = expect.any(Number) as number
    expect(observer.events).toEqual([
      { type: 'workflow-started', runId, workflow: 'wf', timeoutMs: 5000 },
      { type: 'step-started', runId, stepId: 'a', stepType: 'tool', tool: 'a' },
      { type: 'step-completed', runId, stepId: 'a', durationMs, retryCount: 0 },
      { type: 'step-started', runId, stepId: 'b', stepType: 'tool', tool: 'b' },
      { type: 'step-completed', runId, stepId: 'b', durationMs, retryCount: 0 },
      { type: 'workflow-completed', runId, workflow: 'wf', durationMs, stepCount: 2 },
    ])
  })

  it('CORE-U01 hears of a skipped step with its condition', async () => {
    const observer = observed()

    await runToEnd(workflowOf({ steps: [toolStep('a', { condition: 'false' })] }), scriptedTools({}), {
      config: { observer },
    })

    expect(observer.events.find(({ type }) => type === 'step-skipped')).toMatchObject({ condition: 'false' })
  })

  it('CORE-U01 hears how often a step was repeated, and no error text', async () => {
    const observer = observed()
    const step = toolStep('a', { onError: { action: 'retry', retryCount: 2, retryDelayMs: 1 } })

    await runToEnd(workflowOf({ steps: [step] }), scriptedTools({ a: () => fails('secret failure') }), {
      config: { observer },
    })

    expect(observer.events.find(({ type }) => type === 'step-failed')).toMatchObject({ retryCount: 2 })
    expect(observer.events.at(-1)).toMatchObject({ type: 'workflow-failed', stepCount: 1 })
    expect(JSON.stringify(observer.events)).not.toContain('secret failure')
  })

  it('never breaks a run by throwing', async () => {
    const warn = vi.fn()
    const observer = {
      observe: () => {
        throw new Error('observer is broken')
      },
    }

    const run = await runToEnd(workflowOf({ steps: [toolStep('a')] }), scriptedTools({ a: () => structured({}) }), {
      config: { observer, logger: { debug() {}, info() {}, warn, error() {} } },
    })

    expect(run.status).toBe('completed')
    expect(warn).toHaveBeenCalled()
  })
})

describe('the progress of a run', () => {
  function client(wantsProgress: boolean): ClientChannel & { readonly heard: CallNotification[] } {
    const heard: CallNotification[] = []
    return {
      capabilities: {},
      answers: 'push',
      wantsProgress,
      heard,
      notify: (notification) => heard.push(notification),
    }
  }

  it('is one rising series over all steps, with that of a running step folded in', async () => {
    const caller = client(true)
    const tools = scriptedTools({
      a: (_args, options) => {
        options.client?.notify({ type: 'progress', progress: 5, total: 10, message: 'half' })
        options.client?.notify({ type: 'progress', progress: 2, total: 10 })
        return structured({})
      },
      b: (_args, options) => {
        options.client?.notify({ type: 'progress', progress: 1 })
        options.client?.notify({ type: 'progress', progress: 3 })
        return structured({})
      },
    })
    const workflow = workflowOf({ steps: [toolStep('a'), toolStep('b', { dependsOn: ['a'] })] })

    await runToEnd(workflow, tools, { options: { client: caller } })

    expect(caller.heard).toEqual([
      { type: 'progress', progress: 0.5, total: 2, message: 'a: half' },
      { type: 'progress', progress: 1, total: 2, message: 'a' },
      { type: 'progress', progress: 1.5, total: 2, message: 'b' },
      { type: 'progress', progress: 1.75, total: 2, message: 'b' },
      { type: 'progress', progress: 2, total: 2, message: 'b' },
    ])
  })

  it('counts the items of a loop as parts of their step', async () => {
    const caller = client(true)
    const tools = scriptedTools({
      check: (_args, options) => {
        options.client?.notify({ type: 'progress', progress: 1, total: 2 })
        return says('ok')
      },
    })
    const loop = { id: 'loop', type: 'forEach', collection: '[1,2]', maxParallel: 1, step: { tool: 'check' } } as const

    await runToEnd(workflowOf({ steps: [loop] }), tools, { options: { client: caller } })

    const told = caller.heard.map((notification) => notification.type === 'progress' && notification.progress)
    expect(told).toEqual([0.25, 0.5, 0.75, 1])
  })

  it('is not made for a client that does not want it', async () => {
    const caller = client(false)

    await runToEnd(workflowOf({ steps: [toolStep('a')] }), scriptedTools({ a: () => structured({}) }), {
      options: { client: caller },
    })

    expect(caller.heard).toEqual([])
  })

  it('lets log messages through', async () => {
    const caller = client(true)
    const log = { type: 'log', level: 'info', data: 'hello' } as const
    const tools = scriptedTools({
      a: (_args, options) => {
        options.client?.notify(log)
        return structured({})
      },
    })

    await runToEnd(workflowOf({ steps: [toolStep('a')] }), tools, { options: { client: caller } })

    expect(caller.heard).toContainEqual(log)
  })
})
