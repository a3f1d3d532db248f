import { InvalidConfig, Secret } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { headerInjection } from './header-injection.js'
import { unauthenticated } from './unauthenticated.js'

describe('headerInjection', () => {
  it('SRV-A065 sends the header for every caller', async () => {
    const auth = headerInjection({ headerName: 'X-API-Key', headerValue: 'secret-key-123' })

    expect(await auth.headers(null)).toEqual({ 'X-API-Key': 'secret-key-123' })
    expect(auth.fixedHeaders?.()).toEqual({ 'X-API-Key': 'secret-key-123' })
    expect(auth.type).toBe('header_injection')
  })

  it('names its credential without revealing it, alike for equal credentials only', () => {
    const one = headerInjection({ headerName: 'X-API-Key', headerValue: 'secret-key-123' })
    const same = headerInjection({ headerName: 'x-api-key', headerValue: new Secret('secret-key-123') })
    const other = headerInjection({ headerName: 'X-API-Key', headerValue: 'secret-key-124' })

    expect(one.credentialKey(null)).toBe(same.credentialKey(null))
    expect(one.credentialKey(null)).not.toBe(other.credentialKey(null))
    expect(one.credentialKey(null)).not.toContain('secret-key-123')
  })

  it.each([
    ['an empty name', '', 'value', 'headerName'],
    ['a name with a space', 'X Key', 'value', 'headerName'],
    ['a name with a line break', 'X\r\nKey', 'value', 'headerName'],
    ['a name of 257 bytes', 'x'.repeat(257), 'value', 'headerName'],
    ['an empty value', 'X-Key', '', 'headerValue'],
    ['a value with a line break', 'X-Key', 'one\r\nHost: evil', 'headerValue'],
    ['a value with a NUL', 'X-Key', 'one\0two', 'headerValue'],
    ['a value of 8193 bytes', 'X-Key', 'x'.repeat(8193), 'headerValue'],
  ])('refuses %s', (_what, headerName, headerValue, path) => {
    const make = () => headerInjection({ headerName, headerValue })

    expect(make).toThrow(InvalidConfig)
    expect(make).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ path })] }))
  })

  it('takes a name of 256 bytes and a value of 8192 bytes', () => {
    expect(() => headerInjection({ headerName: 'x'.repeat(256), headerValue: 'x'.repeat(8192) })).not.toThrow()
  })

  it('never shows the value in its message', () => {
    const make = () => headerInjection({ headerName: 'X-Key', headerValue: 'top-secret\n' })

    expect(make).toThrow(expect.not.objectContaining({ message: expect.stringContaining('top-secret') }))
  })
})

describe('unauthenticated', () => {
  it('sends nothing', async () => {
    expect(await unauthenticated().headers(null)).toEqual({})
    expect(unauthenticated().fixedHeaders?.()).toEqual({})
    expect(unauthenticated().credentialKey(null)).toBe('unauthenticated')
  })
})
