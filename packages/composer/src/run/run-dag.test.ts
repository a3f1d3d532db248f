import { describe, expect, it } from 'vitest'
import { gate } from '../../test/gate.js'
import { runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { scriptedTools, structured } from '../../test/scripted-tools.js'

describe('the order of steps', () => {
  it('CORE-W14 runs what waits for nothing at the same time and joins after both', async () => {
    const events: string[] = []
    const gates = { fetch_logs: gate(), fetch_metrics: gate() }
    async function fetch(name: keyof typeof gates) {
      events.push(`${name} starts`)
      gates[name].open()
      await Promise.all([gates.fetch_logs.passed, gates.fetch_metrics.passed])
      events.push(`${name} ends`)
      return structured({})
    }
    const tools = scriptedTools({
      fetch_logs: () => fetch('fetch_logs'),
      fetch_metrics: () => fetch('fetch_metrics'),
      create_report: () => {
        events.push('create_report starts')
        return structured({})
      },
    })
    const workflow = workflowOf({
      steps: [
        toolStep('fetch_logs'),
        toolStep('fetch_metrics'),
        toolStep('create_report', { dependsOn: ['fetch_logs', 'fetch_metrics'] }),
      ],
    })

    const run = await runToEnd(workflow, tools)

    expect(run.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
    expect(events.slice(0, 2)).toEqual(['fetch_logs starts', 'fetch_metrics starts'])
    expect(events.at(-1)).toBe('create_report starts')
  })

  // The reference runs level after level; here a step starts when its own dependencies have ended.
  it('CORE-W15 starts a step as soon as its own dependencies have ended', async () => {
    const slow = gate()
    const tools = scriptedTools({
      quick: () => structured({}),
      slow: async () => {
        await slow.passed
        return structured({})
      },
      after_quick: () => {
        slow.open()
        return structured({})
      },
    })
    const workflow = workflowOf({
      steps: [toolStep('quick'), toolStep('slow'), toolStep('after_quick', { dependsOn: ['quick'] })],
    })

    const run = await runToEnd(workflow, tools)

    expect(run.status).toBe('completed')
  })

  it('CORE-W17 runs at most ten steps at one time', async () => {
    let running = 0
    let most = 0
    const tools = scriptedTools(
      Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [
          `s${index}`,
          async () => {
            most = Math.max(most, ++running)
            await new Promise((resolve) => setImmediate(resolve))
            running--
            return structured({})
          },
        ]),
      ),
    )
    const steps = Array.from({ length: 25 }, (_, index) => toolStep(`s${index}`))

    await runToEnd(workflowOf({ steps }), tools)

    expect(most).toBe(10)
  })

  it('records steps in the order of the definition, however they end', async () => {
    const slow = gate()
    const tools = scriptedTools({
      first: async () => {
        await slow.passed
        return structured({ is: 'first' })
      },
      second: () => {
        slow.open()
        return structured({ is: 'second' })
      },
    })

    const run = await runToEnd(workflowOf({ steps: [toolStep('first'), toolStep('second')] }), tools)

    expect(run.steps.map(({ stepId }) => stepId)).toEqual(['first', 'second'])
    expect(run.output).toEqual({ is: 'first' })
  })

  it('accepts any step id, those of object members included', async () => {
    const tools = scriptedTools({ a: () => structured({ n: 1 }), b: () => structured({}) })
    const workflow = workflowOf({
      steps: [
        toolStep('__proto__', { tool: 'a' }),
        toolStep('constructor', {
          tool: 'b',
          arguments: { n: '{{index .steps "__proto__" "output" "n"}}' },
          dependsOn: ['__proto__'],
        }),
      ],
    })

    const run = await runToEnd(workflow, tools)

    expect(run.status).toBe('completed')
    expect(tools.calls[1]?.arguments).toEqual({ n: 1 })
  })

  it('CORE-W16 fails a run whose steps wait for each other', async () => {
    const steps = [toolStep('free'), toolStep('a', { dependsOn: ['b'] }), toolStep('b', { dependsOn: ['a'] })]

    const run = await runToEnd(workflowOf({ steps }), scriptedTools({ free: () => structured({}) }))

    expect(run.status).toBe('failed')
    expect(run.error?.message).toContain('step a can never start: circular dependency')
  })
})
