import { describe, expect, it } from 'vitest'
import { eraOfAnswer, eraOfFault } from './era.js'
import type { WireFault } from './wire-failure.js'

const discovery = (supportedVersions?: readonly string[]) => ({
  resultType: 'complete',
  capabilities: {},
  ...(supportedVersions && { supportedVersions }),
})
const error = (code: number, data?: unknown) => ({ error: { code, message: '', data } })
const http = (status: number, code?: number): WireFault => ({
  kind: 'http',
  status,
  ...(code !== undefined && { rpcError: { code, message: '' } }),
})

describe('eraOfAnswer', () => {
  it('AGG-M01 takes a discovery of 2026-07-28 for the second era', () => {
    expect(eraOfAnswer({ result: discovery(['2025-11-25', '2026-07-28']) })).toMatchObject({ era: '2026' })
  })

  it('AGG-M02 takes a discovery without it for the first', () => {
    expect(eraOfAnswer({ result: discovery(['2025-11-25', '2024-11-05']) })).toEqual({ era: '2025' })
    expect(eraOfAnswer({ result: discovery() })).toEqual({ era: '2025' })
  })

  it('AGG-M03 judges -32022 by the versions it names', () => {
    expect(eraOfAnswer(error(-32022))).toEqual({ era: '2025' })
    expect(eraOfAnswer(error(-32022, { supported: ['2026-07-28'] }))).toMatchObject({ era: '2026' })
  })

  it.each([-32020, -32021])('takes the error %i of the second era for a sign of it', (code) => {
    expect(eraOfAnswer(error(code))).toMatchObject({ era: '2026' })
  })

  it.each([-32601, -32600, -32603, -32000])('AGG-M04 takes the error %i for the first era', (code) => {
    expect(eraOfAnswer(error(code))).toEqual({ era: '2025' })
  })

  it('AGG-M04 takes a result without resultType for the first era', () => {
    expect(eraOfAnswer({ result: { tools: [] } })).toEqual({ era: '2025' })
  })

  it('has a discovery only from a result', () => {
    const result = discovery(['2026-07-28'])
    expect(eraOfAnswer({ result })).toEqual({ era: '2026', discover: result })
    expect(eraOfAnswer(error(-32021))).toEqual({ era: '2026' })
  })

  it('takes a result of another type for the second', () => {
    expect(eraOfAnswer({ result: { resultType: 'input_required' } })).toMatchObject({ era: '2026' })
  })
})

describe('eraOfFault', () => {
  it.each([http(404, -32601), http(400, -32600), http(405), http(404)])(
    'AGG-M04 takes %o for the first era',
    (fault) => {
      expect(eraOfFault(fault)).toEqual({ era: '2025' })
    },
  )

  it.each([401, 403, 407, 408, 429, 500, 503])('AGG-M05 learns nothing from HTTP %i', (status) => {
    expect(eraOfFault(http(status))).toEqual({ era: 'inconclusive' })
  })

  it('learns nothing from a broken connection', () => {
    expect(eraOfFault({ kind: 'closed', detail: '' })).toEqual({ era: 'inconclusive' })
  })
})
