import { InvalidInput, silentLogger } from '@vmcp/domain'
import type { ElicitationRequester, ElicitationResult } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { runOnTestClock, runToEnd, workflowOf } from '../../test/run-for-test.js'
import { scriptedTools } from '../../test/scripted-tools.js'

const workflow = workflowOf({
  steps: [{ id: 'ask', type: 'elicitation', message: 'Go on?', schema: { type: 'object' } }],
})

function answering(answer: unknown): ElicitationRequester {
  return { requestElicitation: () => Promise.resolve(answer as ElicitationResult) }
}

function cycle(): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

describe('a question whose requester', () => {
  it('answers with something that is no answer fails its step', async () => {
    const answers = [
      undefined,
      null,
      'accept',
      7,
      [],
      {},
      { action: 'ACCEPT' },
      { action: ['accept'] },
      { action: null },
    ]
    for (const answer of answers) {
      const run = await runToEnd(workflow, scriptedTools({}), { config: { elicitation: answering(answer) } })

      expect(run.error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'ask' } })
      expect(run.error?.cause).toBeInstanceOf(InvalidInput)
    }
  })

  it('answers with content that JSON cannot hold fails its step', async () => {
    const throwing = {
      get name(): string {
        throw new Error('from a getter')
      },
    }
    for (const content of [cycle(), { big: 1n }, throwing, [cycle()]]) {
      const elicitation = answering({ action: 'accept', content })

      const run = await runToEnd(workflow, scriptedTools({}), { config: { elicitation, logger: silentLogger } })

      expect(run.error?.message).toContain('the answer to step ask is not JSON')
      expect(run.error?.cause).toBeInstanceOf(InvalidInput)
    }
  })

  it('answers at once, without a promise, is heard like any other', async () => {
    const requester = (answer: unknown): ElicitationRequester => ({
      requestElicitation: () => answer as Promise<ElicitationResult>,
    })
    const run = (answer: unknown) =>
      runToEnd(workflow, scriptedTools({}), { config: { elicitation: requester(answer) } })

    expect((await run({ action: 'accept' })).status).toBe('completed')
    expect((await run(undefined)).error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'ask' } })
  })

  it('throws at once, or what is no error, fails its step', async () => {
    for (const thrown of [new Error('broken'), 'broken', undefined, Object.create(null)]) {
      const elicitation: ElicitationRequester = {
        requestElicitation: () => {
          throw thrown
        },
      }

      const run = await runToEnd(workflow, scriptedTools({}), { config: { elicitation } })

      expect(run.error).toMatchObject({ reason: { _tag: 'StepFailed', stepId: 'ask' } })
    }
  })

  it('answers after the time is over is not heard', async () => {
    let answer = (_result: ElicitationResult): void => {}
    const elicitation: ElicitationRequester = {
      requestElicitation: () => new Promise((resolve) => (answer = resolve)),
    }

    const run = await runOnTestClock(workflow, scriptedTools({}), { advance: [300_000], elicitation })
    answer({ action: 'accept', content: { late: true } })
    await new Promise((resolve) => setImmediate(resolve))

    expect(run.steps[0]).toMatchObject({ status: 'failed', output: null })
  })
})
