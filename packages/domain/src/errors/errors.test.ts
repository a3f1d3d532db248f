import { describe, expect, it } from 'vitest'

import * as domain from '../index.js'

const samples: { readonly [Tag in domain.VmcpErrorTag]: Extract<domain.VmcpError, { readonly _tag: Tag }> } = {
  AuthorizationDenied: new domain.AuthorizationDenied('call'),
  BackendAuthenticationFailed: new domain.BackendAuthenticationFailed('b1'),
  BackendRejected: new domain.BackendRejected('b1', { code: -32000, message: 'no', data: { why: 'because' } }),
  BackendTimeout: new domain.BackendTimeout('b1', 30_000),
  BackendUnavailable: new domain.BackendUnavailable('b1', 'http', { status: 503 }),
  Cancelled: new domain.Cancelled(),
  CapabilityConflict: new domain.CapabilityConflict('unresolved', [{ name: 'a', backendIds: ['b1', 'b2'] }]),
  ClientCapabilityMissing: new domain.ClientCapabilityMissing('roots'),
  ContentTooLarge: new domain.ContentTooLarge(2, 1),
  ElicitationCancelled: new domain.ElicitationCancelled('s'),
  ElicitationDeclined: new domain.ElicitationDeclined('s'),
  ElicitationNotConfigured: new domain.ElicitationNotConfigured('s'),
  ElicitationTimeout: new domain.ElicitationTimeout('s'),
  InternalError: new domain.InternalError({ cause: new Error('bug') }),
  InvalidConfig: new domain.InvalidConfig([{ path: 'name', message: 'is required' }]),
  InvalidInput: new domain.InvalidInput('arguments must be object, got array', { field: 'arguments' }),
  InvalidRequestState: new domain.InvalidRequestState(),
  NotFound: new domain.NotFound('tool', 'x'),
  RateLimited: new domain.RateLimited(3),
  SchemaTooDeep: new domain.SchemaTooDeep('schema', 10),
  SchemaTooLarge: new domain.SchemaTooLarge(2, 1),
  ToolNameConflict: new domain.ToolNameConflict(['x']),
  WorkflowFailed: new domain.WorkflowFailed('wf', { _tag: 'StepFailed', stepId: 's' }, 'step s failed'),
}

describe('VmcpError', () => {
  it.each(Object.entries(samples))('%s is an Error of that tag and name', (tag, error) => {
    expect(error).toBeInstanceOf(Error)
    expect(error._tag).toBe(tag)
    expect(error.name).toBe(tag)
    expect(error.message).not.toBe('')
    expect(domain.isVmcpError(error)).toBe(true)
  })

  it('keeps its cause', () => {
    const cause = new Error('socket hang up')
    expect(new domain.BackendUnavailable('b1', 'closed', { cause }).cause).toBe(cause)
    expect(new domain.Cancelled('closed', { cause }).cause).toBe(cause)
  })
})

describe('isVmcpError', () => {
  it.each([
    ['an error of somebody else', new Error('x')],
    ['an unknown tag', Object.assign(new Error('x'), { _tag: 'Nope' })],
    ['an inherited name as tag', Object.assign(new Error('x'), { _tag: 'toString' })],
    ['a plain object', { _tag: 'NotFound' }],
    ['nothing', undefined],
  ])('is false for %s', (_, value) => {
    expect(domain.isVmcpError(value)).toBe(false)
  })

  it('knows an error that another copy of the package made', () => {
    expect(domain.isVmcpError(Object.assign(new Error('gone'), { _tag: 'NotFound' }))).toBe(true)
  })
})

describe('AuthorizationDenied', () => {
  it('names the kind only', () => {
    expect(new domain.AuthorizationDenied('read').message).toBe('read denied by authorization policy')
  })
})

describe('InvalidConfig', () => {
  it('lists every problem with its place', () => {
    const error = new domain.InvalidConfig([
      { path: 'backends[1].url', message: 'must be http or https', file: 'vmcp.yaml', line: 4, column: 7 },
      { path: 'name', message: 'is required' },
    ])
    expect(error.message).toBe(
      'invalid configuration:\n  - vmcp.yaml:4:7: backends[1].url: must be http or https\n  - name: is required',
    )
  })
})

describe('BackendUnavailable', () => {
  it('says which backend and why', () => {
    const error = new domain.BackendUnavailable('b1', 'http', { status: 503, detail: 'HTTP 503' })
    expect(error.message).toBe('backend unavailable: b1 (HTTP 503)')
    expect(error).toMatchObject({ backendId: 'b1', reason: 'http', status: 503 })
  })
})
