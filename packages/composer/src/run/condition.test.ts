import { describe, expect, it } from 'vitest'
import { runToEnd, toolStep, workflowOf } from '../../test/run-for-test.js'
import { scriptedTools, structured } from '../../test/scripted-tools.js'

describe('a condition', () => {
  const condition = '{{if eq .params.enabled true}}true{{else}}false{{end}}'

  it('CORE-W07 skips its step when it renders false', async () => {
    const tools = scriptedTools({ a: () => structured({}) })

    const run = await runToEnd(workflowOf({ steps: [toolStep('a', { condition })] }), tools, {
      arguments: { enabled: false },
    })

    expect(run.status).toBe('completed')
    expect(run.steps[0]?.status).toBe('skipped')
    expect(tools.calls).toEqual([])
  })

  it('CORE-T07 runs its step on "", true and True, and not on false', async () => {
    for (const [text, status] of [
      ['', 'completed'],
      ['true', 'completed'],
      ['True', 'completed'],
      ['false', 'skipped'],
    ] as const) {
      const tools = scriptedTools({ a: () => structured({}) })

      const run = await runToEnd(workflowOf({ steps: [toolStep('a', { condition: text })] }), tools)

      expect([text, run.steps[0]?.status]).toEqual([text, status])
    }
  })

  it('CORE-T07 fails its step on any other text and on a template that does not parse', async () => {
    for (const text of ['not_boolean', ' true', '{{.params.missing']) {
      const run = await runToEnd(
        workflowOf({ steps: [toolStep('a', { condition: text })] }),
        scriptedTools({ a: () => structured({}) }),
      )

      expect(run.status).toBe('failed')
      expect(run.error?.message).toMatch(/^failed to evaluate condition for step a: /)
    }
  })

  it('does not repeat the text that is no boolean: it may hold an argument', async () => {
    const run = await runToEnd(
      workflowOf({ steps: [toolStep('a', { condition: '{{.params.token}}' })] }),
      scriptedTools({ a: () => structured({}) }),
      { arguments: { token: 'supersecret123' } },
    )

    expect(run.error?.message).toContain("condition must evaluate to 'true' or 'false'")
    expect(run.error?.message).not.toContain('supersecret123')
  })

  it('lets steps that depend on a skipped one run', async () => {
    const tools = scriptedTools({ a: () => structured({}), b: () => structured({}) })
    const steps = [toolStep('a', { condition: 'false' }), toolStep('b', { dependsOn: ['a'] })]

    const run = await runToEnd(workflowOf({ steps }), tools)

    expect(run.steps.map(({ status }) => status)).toEqual(['skipped', 'completed'])
  })
})
