import { describe, expect, it } from 'vitest'
import { runOnTestClock, runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, says, scriptedTools } from '../../test/scripted-tools.js'

describe('retries', () => {
  const retrying = (retryCount: number, retryDelayMs?: number) =>
    workflowOf({
      steps: [
        toolStep('a', {
          onError: { action: 'retry', retryCount, ...(retryDelayMs !== undefined && { retryDelayMs }) },
        }),
      ],
    })

  it('CORE-W03 CORE-W04 call again until the tool succeeds, and are counted', async () => {
    let calls = 0
    const tools = scriptedTools({ a: () => (++calls <= 2 ? fails('not yet') : says('ok')) })

    const run = await runOnTestClock(retrying(2, 10), tools, { advance: [100, 100] })

    expect(run.status).toBe('completed')
    expect(run.steps[0]).toMatchObject({ status: 'completed', retryCount: 2 })
  })

  it('CORE-W05 end with the last error when they are used up', async () => {
    const tools = scriptedTools({ a: () => fails('Persistent error: operation failed') })

    const run = await runOnTestClock(retrying(2, 10), tools, { advance: [100, 100, 100] })

    expect(tools.calls).toHaveLength(3)
    expect(run.steps[0]).toMatchObject({ status: 'failed', retryCount: 2 })
    expect(run.error?.message).toBe(
      'tool call failed: tool a in step a: tool execution failed: Persistent error: operation failed',
    )
  })

  it('CORE-W06 are ten at most', async () => {
    const tools = scriptedTools({ a: () => fails('always') })

    await runOnTestClock(retrying(1000, 1), tools, { advance: Array.from({ length: 12 }, () => 60) })

    expect(tools.calls).toHaveLength(11)
  })

  it('are not made for a step that does not ask for them', async () => {
    const tools = scriptedTools({ a: () => fails('always') })

    await runToEnd(workflowOf({ steps: [toolStep('a')] }), tools)

    expect(tools.calls).toHaveLength(1)
  })

  it('wait for a second by default, half of it at least', async () => {
    const tools = scriptedTools({ a: () => (tools.calls.length < 2 ? fails('not yet') : says('ok')) })

    await runOnTestClock(retrying(1), tools, { advance: [499, 1001] })

    expect(tools.calls).toHaveLength(2)
  })
})
