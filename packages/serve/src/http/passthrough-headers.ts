import type { ConfigProblem } from '@vmcp/domain'
import { InvalidConfig } from '@vmcp/domain'
import type { IncomingHttpHeaders } from 'node:http'

/** Picks the headers of a request that are to reach the backends. */
export type PickHeaders = (headers: IncomingHttpHeaders) => Readonly<Record<string, string>> | undefined

/** Credentials belong to one hop; the rest belongs to the connection or to the proxies before us. */
const restricted = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
])

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Makes the picker of an allow-list. Throws `InvalidConfig` with every name that may not be on it. */
export function createHeaderPicker(allowed: readonly string[]): PickHeaders {
  const problems = allowed.flatMap((name, index): ConfigProblem[] => {
    const path = `passthroughHeaders[${index}]`
    if (!token.test(name)) return [{ path, message: `"${name}" is not a header name` }]
    return restricted.has(name.toLowerCase()) ? [{ path, message: `"${name}" must not be passed through` }] : []
  })
  if (problems.length > 0) throw new InvalidConfig(problems)
  const names = [...new Set(allowed.map((name) => name.toLowerCase()))].sort()
  if (names.length === 0) return () => undefined
  return (headers) => {
    const picked = names.flatMap((name): [string, string][] => {
      const value = headers[name]
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
    })
    return picked.length === 0 ? undefined : Object.fromEntries(picked)
  }
}
