import type { CallToolResult, ClientChannel } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { gate } from '../../test/gate.js'
import { runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { says, scriptedTools, structured } from '../../test/scripted-tools.js'
import type { StepTools } from '../run-request.js'
import { workflowResult } from '../workflow-result.js'

const one = workflowOf({ steps: [toolStep('a')] })
const loop = workflowOf({ steps: [{ id: 'a', type: 'forEach', collection: '[1]', step: { tool: 'a' } }] })

function answers(value: unknown): ReturnType<typeof scriptedTools> {
  return scriptedTools({ a: () => value as CallToolResult })
}

function cycle(): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

describe('a run whose tool', () => {
  it('answers with no result fails at that step, in a loop too', async () => {
    for (const workflow of [one, loop]) {
      for (const value of [undefined, null, 'text', 7, []]) {
        const run = await runToEnd(workflow, answers(value))

        expect(run.error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'a' } })
        expect(run.error?.message).toContain('something that is no result')
      }
    }
  })

  it('answers with no list of blocks has the output of one that says nothing', async () => {
    for (const content of [undefined, null, 'text', {}, [null, 'x', 7]]) {
      expect(await runToEnd(one, answers({ content }))).toMatchObject({ status: 'completed', output: {} })
      expect((await runToEnd(loop, answers({ content }))).status).toBe('completed')
      expect((await runToEnd(one, answers({ content, isError: true }))).error?.message).toContain(
        'tool execution error',
      )
    }
  })

  it('answers with blocks of the wrong shape leaves them out', async () => {
    const content = [{ type: 'text', text: 7 }, { type: 'resource' }, { type: 'image' }, { type: 'text', text: 'ok' }]

    expect(await runToEnd(one, answers({ content }))).toMatchObject({ output: { text: 'ok' } })
  })

  it('answers with a cycle ends, and the result says that it cannot be written', async () => {
    const run = await runToEnd(one, answers({ content: [], structuredContent: cycle() }))

    expect(workflowResult(run)).toMatchObject({ isError: true })
  })

  it('answers with a cycle that a template reads fails at the reading step', async () => {
    const workflow = workflowOf({
      steps: [toolStep('a'), toolStep('b', { arguments: { x: '{{json .steps.a.output}}' }, dependsOn: ['a'] })],
    })
    const tools = scriptedTools({ a: () => ({ content: [], structuredContent: cycle() }), b: () => structured({}) })

    const run = await runToEnd(workflow, tools)

    expect(run.error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'b' } })
  })

  it('answers with names of object members hands on what it said', async () => {
    const workflow = workflowOf({
      steps: [
        toolStep('a'),
        toolStep('b', {
          arguments: { x: '{{.steps.a.output.constructor}}', y: '{{.steps.a.output.toString}}' },
          dependsOn: ['a'],
        }),
      ],
    })
    const tools = scriptedTools({ a: () => structured({ constructor: 'mine' }), b: () => structured({}) })

    await runToEnd(workflow, tools)

    expect(tools.calls[1]?.arguments).toEqual({ x: 'mine', y: '<no value>' })
  })

  it('throws something without a text fails at that step', async () => {
    for (const thrown of [Object.create(null), undefined, null, Symbol('s'), { toString: 7, valueOf: 7 }]) {
      const tools = scriptedTools({
        a: () => {
          throw thrown
        },
      })

      expect((await runToEnd(one, tools)).error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'a' } })
    }
  })

  it('answers after the run was given up changes nothing any more', async () => {
    const answer = gate()
    const tools = scriptedTools({
      a: async () => {
        await answer.passed
        throw new Error('too late')
      },
      b: () => Promise.reject(new Error('broken')),
    })

    const run = await runToEnd(workflowOf({ steps: [toolStep('a'), toolStep('b')] }), tools)
    const before = structuredClone(run.steps)
    answer.open()
    await new Promise((resolve) => setImmediate(resolve))

    expect(run.steps).toEqual(before)
    expect(run.steps.map(({ status }) => status)).toEqual(['cancelled', 'failed'])
  })

  it('reports progress that is no number, or after the end, is not heard', async () => {
    const heard: unknown[] = []
    const client: ClientChannel = {
      capabilities: {},
      answers: 'push',
      wantsProgress: true,
      notify: (notification) => heard.push(notification),
    }
    let late = (): void => {}
    const tools = scriptedTools({
      a: (_args, options) => {
        for (const progress of [NaN, Infinity, -1]) options.client?.notify({ type: 'progress', progress })
        options.client?.notify({ type: 'progress', progress: 1, total: NaN })
        late = () => options.client?.notify({ type: 'progress', progress: 5, total: 6 })
        throw new Error('broken')
      },
    })

    await runToEnd(workflowOf({ steps: [toolStep('a'), toolStep('b', { dependsOn: ['a'] })] }), tools, {
      options: { client },
    })
    late()

    expect(heard).toEqual([
      { type: 'progress', progress: 0.5, total: 2, message: 'a' },
      { type: 'progress', progress: 1, total: 2, message: 'a' },
    ])
  })

  it('answers with much is read in full', async () => {
    const text = 'x'.repeat(20_000_000)

    expect((await runToEnd(one, answers({ content: [{ type: 'text', text }] }))).output).toEqual({ text })
  })

  it('answers at once, without a promise, fails or completes like any other', async () => {
    const call = (answer: unknown): StepTools => ({
      resolve: (name) => ({ name }),
      call: () => answer as Promise<CallToolResult>,
    })

    expect((await runToEnd(one, call(says('ok')))).status).toBe('completed')
    for (const nothing of [undefined, null, 7]) {
      const run = await runToEnd(one, call(nothing))
      expect(run.error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'a' } })
    }
  })
})
