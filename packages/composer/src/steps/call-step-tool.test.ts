import { Cancelled } from '@vmcp/domain'
import type { CallToolResult } from '@vmcp/domain'
import { describe, expect, it, vi } from 'vitest'
import { runOnTestClock, runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, says, scriptedTools } from '../../test/scripted-tools.js'

async function messageOf(result: CallToolResult): Promise<string | undefined> {
  const run = await runToEnd(workflowOf({ steps: [toolStep('a')] }), scriptedTools({ a: () => result }))
  return run.error?.message.replace('tool call failed: tool a in step a: tool execution failed: ', '')
}

describe('the error of a tool that failed', () => {
  it('is its first text that is not empty', async () => {
    const content = [
      { type: 'text', text: '' },
      { type: 'text', text: 'second' },
      { type: 'text', text: 'third' },
    ]

    expect(await messageOf({ content, isError: true, structuredContent: { error: 'structured' } })).toBe('second')
  })

  it('is a structured error, message or text without one, in this order', async () => {
    const structuredContent = { text: 't', message: 'm', error: 'e' }

    expect(await messageOf({ content: [], isError: true, structuredContent })).toBe('e')
    expect(await messageOf({ content: [], isError: true, structuredContent: { text: 't', message: 'm' } })).toBe('m')
    expect(await messageOf({ content: [], isError: true, structuredContent: { error: 7, text: 't' } })).toBe('t')
  })

  it('is said in general when the tool says nothing', async () => {
    expect(await messageOf({ content: [], isError: true })).toBe('tool execution error')
  })
})

describe('a step that retries', () => {
  const step = toolStep('a', { onError: { action: 'retry', retryCount: 3, retryDelayMs: 10 } })

  it('does not repeat a call that was cancelled, or one that asks for input', async () => {
    const cancelled = scriptedTools({ a: () => Promise.reject(new Cancelled()) })
    const asking = scriptedTools({ a: () => ({ resultType: 'input_required', requestState: 'x' }) })

    await runToEnd(workflowOf({ steps: [step] }), cancelled)
    await runToEnd(workflowOf({ steps: [step] }), asking)

    expect(cancelled.calls).toHaveLength(1)
    expect(asking.calls).toHaveLength(1)
  })

  it('repeats calls that reject like results with isError', async () => {
    const tools = scriptedTools({
      a: () => {
        if (tools.calls.length === 1) return Promise.reject(new Error('unreachable'))
        return tools.calls.length === 2 ? fails('not yet') : says('ok')
      },
    })

    const run = await runOnTestClock(workflowOf({ steps: [step] }), tools, { advance: [10, 15] })

    expect(run.steps[0]).toMatchObject({ status: 'completed', retryCount: 2 })
  })

  it('warns of more retries than there will be', async () => {
    const warn = vi.fn()
    const eager = toolStep('a', { onError: { action: 'retry', retryCount: 11 } })

    await runToEnd(workflowOf({ steps: [eager] }), scriptedTools({ a: () => says('ok') }), {
      config: { logger: { debug() {}, info() {}, warn, error() {} } },
    })

    expect(warn).toHaveBeenCalledWith('retry count is capped', { step: 'a', retryCount: 11, cap: 10 })
  })
})
