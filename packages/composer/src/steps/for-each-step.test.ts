import type { ForEachStep } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { gate } from '../../test/gate.js'
import { runOnTestClock, runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { fails, hangs, says, scriptedTools, structured } from '../../test/scripted-tools.js'

function loop(more: Partial<ForEachStep> = {}): ForEachStep {
  return {
    id: 'loop',
    type: 'forEach',
    collection: '{{json .params.items}}',
    step: { tool: 'check', arguments: { item: '{{.forEach.item}}', index: '{{.forEach.index}}' } },
    ...more,
  }
}

describe('a forEach step', () => {
  it('CORE-F01 calls its tool for each item of a list from another step', async () => {
    const packages = [
      { name: 'openssl', version: '1.1.1' },
      { name: 'curl', version: '7.80' },
      { name: 'zlib', version: '1.2.11' },
    ]
    const tools = scriptedTools({ get_packages: () => structured({ packages }), check: () => structured({ ok: true }) })
    const step = loop({
      dependsOn: ['get_packages'],
      collection: '{{json .steps.get_packages.output.packages}}',
      itemVar: 'pkg',
      step: { tool: 'check', arguments: { name: '{{.forEach.pkg.name}}' } },
    })

    const run = await runToEnd(workflowOf({ steps: [toolStep('get_packages'), step] }), tools)

    expect(tools.calls.slice(1).map((call) => call.arguments)).toEqual([
      { name: 'openssl' },
      { name: 'curl' },
      { name: 'zlib' },
    ])
    expect(run.output).toMatchObject({ count: 3, completed: 3, failed: 0 })
    expect(run.output).toMatchObject({
      iterations: [{ index: 0, item: packages[0], status: 'completed', output: { ok: true } }, {}, {}],
    })
  })

  it('CORE-F02 is complete at once for an empty list', async () => {
    const run = await runToEnd(workflowOf({ steps: [loop()] }), scriptedTools({ check: () => structured({}) }), {
      arguments: { items: [] },
    })

    expect(run.status).toBe('completed')
    expect(run.output).toEqual({ iterations: [], count: 0, completed: 0, failed: 0 })
  })

  it('takes null for an empty list', async () => {
    const run = await runToEnd(workflowOf({ steps: [loop()] }), scriptedTools({ check: () => structured({}) }), {
      arguments: { items: null },
    })

    expect(run.output).toMatchObject({ count: 0 })
  })

  it('CORE-F03 fails the workflow with the first item that fails', async () => {
    const run = await runToEnd(workflowOf({ steps: [loop()] }), scriptedTools({ check: () => fails('vulnerable') }), {
      arguments: { items: [{ name: 'openssl' }] },
    })

    expect(run.status).toBe('failed')
    expect(run.error?.message).toBe('forEach step loop iteration 0: tool execution failed: vulnerable')
  })

  it('CORE-F04 goes on after a failed item when onError continues', async () => {
    const tools = scriptedTools({ check: ({ index }) => (index === 0 ? fails('broken') : says('ok')) })
    const step = loop({ onError: { action: 'continue' }, maxParallel: 1 })

    const run = await runToEnd(workflowOf({ steps: [step] }), tools, { arguments: { items: ['a', 'b'] } })

    expect(run.status).toBe('completed')
    expect(run.output).toMatchObject({ count: 2, completed: 1, failed: 1 })
    expect(run.output).toMatchObject({
      iterations: [{ status: 'failed', output: null, error: 'tool execution failed: broken' }, { status: 'completed' }],
    })
  })

  it('counts items that never ran as cancelled after the first failure', async () => {
    const tools = scriptedTools({ check: () => fails('broken') })

    const run = await runToEnd(workflowOf({ steps: [loop({ maxParallel: 1 })] }), tools, {
      arguments: { items: ['a', 'b'] },
    })

    expect(tools.calls).toHaveLength(1)
    expect(run.steps[0]?.output).toMatchObject({
      failed: 2,
      iterations: [{ status: 'failed' }, { status: 'cancelled', output: null }],
    })
  })

  it('CORE-F05 refuses a list that is too long', async () => {
    const run = await runToEnd(workflowOf({ steps: [loop({ maxIterations: 5 })] }), scriptedTools({}), {
      arguments: { items: [1, 2, 3, 4, 5, 6] },
    })

    expect(run.error?.message).toBe('forEach step loop: collection size 6 exceeds maxIterations 5')
  })

  it('allows 100 items when it does not say', async () => {
    const items = Array.from({ length: 101 }, (_, index) => index)

    const run = await runToEnd(workflowOf({ steps: [loop()] }), scriptedTools({}), { arguments: { items } })

    expect(run.error?.message).toContain('exceeds maxIterations 100')
  })

  it('CORE-F06 leaves its counts for later steps', async () => {
    const tools = scriptedTools({ check: () => structured({}), report: () => structured({}) })
    const steps = [
      loop(),
      toolStep('report', { dependsOn: ['loop'], arguments: { n: 'n={{.steps.loop.output.count}}' } }),
    ]

    await runToEnd(workflowOf({ steps }), tools, { arguments: { items: ['only'] } })

    expect(tools.calls[1]?.arguments).toEqual({ n: 'n=1' })
  })

  it('CORE-F07 runs as many items at one time as it says', async () => {
    let running = 0
    let most = 0
    const tools = scriptedTools({
      check: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return says('ok')
      },
    })

    const run = await runToEnd(workflowOf({ steps: [loop({ maxParallel: 3 })] }), tools, {
      arguments: { items: [1, 2, 3, 4, 5] },
    })

    expect(run.output).toMatchObject({ completed: 5 })
    expect(most).toBe(3)
  })

  it('runs ten items at one time when it does not say', async () => {
    const everybody = gate()
    const tools = scriptedTools({
      check: async () => {
        await everybody.passed
        return says('ok')
      },
    })
    const items = Array.from({ length: 15 }, (_, index) => index)

    const running = runToEnd(workflowOf({ steps: [loop()] }), tools, { arguments: { items } })
    await new Promise((resolve) => setImmediate(resolve))
    const atOnce = tools.calls.length
    everybody.open()

    expect(await running).toMatchObject({ output: { completed: 15 } })
    expect(atOnce).toBe(10)
  })

  // A single expression keeps its type: the index is a number, where the reference gives the text "0".
  it('CORE-F08 gives each item and its index', async () => {
    const tools = scriptedTools({ check: () => structured({}) })

    await runToEnd(workflowOf({ steps: [loop()] }), tools, { arguments: { items: ['alpha', 'beta'] } })

    expect(tools.calls.map((call) => call.arguments)).toEqual([
      { item: 'alpha', index: 0 },
      { item: 'beta', index: 1 },
    ])
  })

  it('CORE-F09 reads a list from JSON text, and takes one that is a list already', async () => {
    for (const items of ['["a","b","c"]', ['a', 'b', 'c']]) {
      const tools = scriptedTools({ get_list: () => structured({ items }), check: () => structured({}) })
      const step = loop({ dependsOn: ['get_list'], collection: '{{.steps.get_list.output.items}}' })

      const run = await runToEnd(workflowOf({ steps: [toolStep('get_list'), step] }), tools)

      expect(run.output).toMatchObject({ count: 3 })
    }
  })

  // The reference quotes the text; here its length is told: it may hold an argument.
  it('CORE-F10 refuses a collection that is no list, without quoting it', async () => {
    const run = await runToEnd(workflowOf({ steps: [loop({ collection: '{{.params.items}}' })] }), scriptedTools({}), {
      arguments: { items: 'not-json' },
    })

    expect(run.error?.message).toBe(
      'forEach step loop: collection must resolve to a JSON array, got: text of 8 characters',
    )
  })

  it('retries each item as its inner step says', async () => {
    const step = loop({
      step: { tool: 'check', onError: { action: 'retry', retryCount: 1, retryDelayMs: 10 } },
      collection: '[1]',
    })
    const tools = scriptedTools({ check: () => (tools.calls.length === 1 ? fails('not yet') : says('ok')) })

    const run = await runOnTestClock(workflowOf({ steps: [step] }), tools, { advance: [20] })

    expect(run.output).toMatchObject({ completed: 1 })
  })

  it('has one time limit for all items', async () => {
    const run = await runOnTestClock(
      workflowOf({ steps: [loop({ collection: '[1,2]', timeoutMs: 100 })] }),
      scriptedTools({ check: hangs }),
      { advance: [100] },
    )

    expect(run.error).toMatchObject({ reason: { _tag: 'StepTimedOut', stepId: 'loop' } })
  })

  it('stops the calls of other items when one fails', async () => {
    const started = gate()
    let aborted = false
    const tools = scriptedTools({
      check: async ({ index }, options) => {
        if (index === 1) return started.passed.then(() => fails('broken'))
        options.signal?.addEventListener('abort', () => (aborted = true))
        started.open()
        return hangs({}, options)
      },
    })

    await runToEnd(workflowOf({ steps: [loop()] }), tools, { arguments: { items: ['a', 'b'] } })

    expect(aborted).toBe(true)
  })

  it('tells which item could not be prepared', async () => {
    const step = loop({ step: { tool: 'gone' } })

    const run = await runToEnd(workflowOf({ steps: [step] }), scriptedTools({}), { arguments: { items: ['a'] } })

    expect(run.error?.message).toBe('forEach step loop iteration 0: failed to route tool: not found: tool "gone"')
  })
})
