import {
  BackendRejected,
  CapabilityConflict,
  ClientCapabilityMissing,
  InvalidInput,
  NotFound,
  RateLimited,
  WorkflowFailed,
} from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { describeFailure, errorTable } from './error-table.js'

describe('errorTable', () => {
  it('is what clients rely on: a change here is a change of the contract', () => {
    const pinned = Object.entries(errorTable).map(([tag, { code, status, text, asToolResult }]) =>
      [tag, `${code['2025']}/${code['2026']}`, `${status['2025']}/${status['2026']}`, text, asToolResult].join(' '),
    )

    expect(pinned).toEqual([
      'AuthorizationDenied 403/403 403/403 own true',
      'BackendAuthenticationFailed -32603/-32603 200/200 own true',
      'BackendRejected -32603/-32603 200/200 own false',
      'BackendTimeout -32603/-32603 200/200 own true',
      'BackendUnavailable -32603/-32603 200/200 own true',
      'Cancelled -32603/-32603 200/200 own false',
      'CapabilityConflict -32603/-32603 200/200 internal error false',
      'ClientCapabilityMissing -32603/-32021 200/400 own true',
      'ContentTooLarge -32603/-32603 200/200 own true',
      'ElicitationCancelled -32603/-32603 200/200 own true',
      'ElicitationDeclined -32603/-32603 200/200 own true',
      'ElicitationNotConfigured -32603/-32603 200/200 own true',
      'ElicitationTimeout -32603/-32603 200/200 own true',
      'InternalError -32603/-32603 200/200 internal error false',
      'InvalidConfig -32603/-32603 200/200 internal error false',
      'InvalidInput -32602/-32602 200/400 own true',
      'InvalidRequestState -32602/-32602 200/400 own false',
      'NotFound -32602/-32602 200/400 own false',
      'RateLimited 429/429 200/200 own true',
      'SchemaTooDeep -32603/-32603 200/200 own true',
      'SchemaTooLarge -32603/-32603 200/200 own true',
      'ToolNameConflict -32603/-32603 200/200 internal error false',
      'WorkflowFailed -32603/-32603 200/200 own true',
    ])
  })
})

describe('describeFailure', () => {
  const call = { '2025': { era: '2025', method: 'tools/call' }, '2026': { era: '2026', method: 'tools/call' } } as const

  it('gives a 2025-11-25 tool call a result to read, and no other request one', () => {
    const error = new InvalidInput('name is empty')

    expect(describeFailure(error, call['2025']).toolResult).toEqual({
      content: [{ type: 'text', text: 'invalid input: name is empty' }],
      isError: true,
    })
    expect(describeFailure(error, call['2026']).toolResult).toBeUndefined()
    expect(describeFailure(error, { era: '2025', method: 'prompts/get' }).toolResult).toBeUndefined()
  })

  it('keeps a missing name short, and a missing URI whole in its data', () => {
    const uri = `file:///${'x'.repeat(10_000)}`

    expect(describeFailure(new NotFound('tool', 'x'.repeat(10_000)), call['2026']).error.message.length).toBeLessThan(
      250,
    )
    expect(describeFailure(new NotFound('resource', uri), call['2026']).error.data).toEqual({ uri })
  })

  it('says nothing of what only operators should know', () => {
    const conflict = new CapabilityConflict('echo is offered by one and two', [
      { name: 'echo', backendIds: ['one', 'two'] },
    ])

    expect(describeFailure(conflict, call['2025']).error).toEqual({ code: -32603, message: 'internal error' })
    expect(describeFailure(new NotFound('backend', 'one'), call['2025']).error.message).toBe('internal error')
  })

  it('hides the failure of a list, and shows a limit on one', () => {
    const list = { era: '2026', method: 'tools/list' } as const

    expect(
      describeFailure(new WorkflowFailed('w', { _tag: 'StepFailed', stepId: 's' }, 'detail'), list).error.message,
    ).toBe('internal error')
    expect(describeFailure(new RateLimited(3), list).error).toMatchObject({ code: 429, data: { retryAfterSeconds: 3 } })
  })

  it('names a missing client capability in the way each era knows', () => {
    const error = new ClientCapabilityMissing('sampling')

    expect(describeFailure(error, call['2026']).error.data).toEqual({ requiredCapabilities: { sampling: {} } })
    expect(describeFailure(error, call['2025']).error.data).toBeUndefined()
  })

  it.each([
    ['2025', -32002, -32002],
    ['2026', -32002, -32602],
    ['2025', -32042, -32042],
    ['2026', -32042, -32603],
    ['2025', -32020, -32603],
    ['2026', -32021, -32603],
    ['2026', -32022, -32603],
    ['2026', -32601, -32601],
    ['2026', 1.5, -32603],
  ] as const)('relays a backend’s code in %s: %d becomes %d', (era, code, relayed) => {
    const error = new BackendRejected('b', { code, message: 'no' })

    expect(describeFailure(error, call[era]).error).toMatchObject({ code: relayed, message: 'no' })
  })
})
