import { describe, expect, it } from 'vitest'
import { mergeHeaders } from './outgoing-headers.js'

const none = { configured: {}, forwarded: {}, credentials: {} }

describe('mergeHeaders', () => {
  it('lets credentials beat what is forwarded and what is configured', () => {
    const headers = mergeHeaders({
      configured: { 'X-Api-Key': 'configured' },
      forwarded: { authorization: 'forwarded' },
      credentials: { Authorization: 'Bearer t', 'X-API-KEY': 'credential' },
    })
    expect(headers).toEqual({ authorization: 'Bearer t', 'x-api-key': 'credential' })
  })

  it.each(['host', 'connection', 'content-length', 'transfer-encoding', 'x-forwarded-for', 'mcp-session-id'])(
    'never forwards %s',
    (name) => {
      expect(mergeHeaders({ ...none, forwarded: { [name]: 'x' } })).toEqual({})
    },
  )

  it('refuses a forwarded header that is configured', () => {
    const contradiction = () => mergeHeaders({ ...none, configured: { 'X-A': '1' }, forwarded: { 'x-a': '2' } })
    expect(contradiction).toThrow(
      expect.objectContaining({ fault: expect.objectContaining({ detail: expect.stringContaining('collides') }) }),
    )
  })

  it.each(['a\r\nx: y', 'a\0', 'snow ☃'])('REL-H3 refuses the value %j', (value) => {
    expect(() => mergeHeaders({ ...none, credentials: { authorization: value } })).toThrow(
      expect.objectContaining({
        fault: { kind: 'unreachable', detail: 'header "authorization" has a value that cannot be sent' },
      }),
    )
  })
})
