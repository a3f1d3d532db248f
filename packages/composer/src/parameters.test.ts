import { describe, expect, it } from 'vitest'
import { runToEnd, toolStep, workflowOf } from '../test/run-for-test.js'
import { scriptedTools, structured } from '../test/scripted-tools.js'

describe('the arguments of a run', () => {
  const workflow = workflowOf({
    parameters: {
      type: 'object',
      properties: {
        url: { type: 'string', default: 'https://default.example.com' },
        count: { type: 'integer', default: 42 },
      },
    },
    steps: [toolStep('a', { arguments: { url: '{{.params.url}}', count: '{{.params.count}}' } })],
  })

  // An argument that is exactly one expression keeps its type: 42, where the reference gives the text "42".
  it('CORE-W09 get the defaults of the parameters', async () => {
    const tools = scriptedTools({ a: () => structured({}) })

    await runToEnd(workflow, tools, { arguments: {} })

    expect(tools.calls[0]?.arguments).toEqual({ url: 'https://default.example.com', count: 42 })
  })

  it('CORE-W10 win over the defaults', async () => {
    const tools = scriptedTools({ a: () => structured({}) })
    const given = { url: 'https://custom.example.com' }

    await runToEnd(workflow, tools, { arguments: given })

    expect(tools.calls[0]?.arguments).toEqual({ url: 'https://custom.example.com', count: 42 })
    expect(given).toEqual({ url: 'https://custom.example.com' })
  })

  // The reference does not validate them: a deliberate improvement.
  it('fail the run before any step when they break a rule, naming field and rule and no value', async () => {
    const tools = scriptedTools({ a: () => structured({}) })

    const run = await runToEnd(workflow, tools, { arguments: { count: 'secret-value' } })

    expect(run.status).toBe('failed')
    expect(run.error).toMatchObject({ reason: { _tag: 'InvalidArguments', field: 'count', rule: 'type' } })
    expect(run.error?.message).toBe('invalid arguments: "count" must be integer (type)')
    expect(tools.calls).toEqual([])
  })

  it('name the field that is missing', async () => {
    const strict = workflowOf({
      parameters: { type: 'object', properties: { repo: { type: 'string' } }, required: ['repo'] },
      steps: [toolStep('a')],
    })

    const run = await runToEnd(strict, scriptedTools({ a: () => structured({}) }))

    expect(run.error?.message).toBe('invalid arguments: "repo" is required (required)')
  })
})
