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

/** What is wrong with the names of an allow-list, each at `passthroughHeaders[index]`. */
export function passthroughHeaderProblems(allowed: readonly string[]): readonly ConfigProblem[] {
  return allowed.flatMap((name, index): ConfigProblem[] => {
    const message = describeFault(name)
    return message === undefined ? [] : [{ path: `passthroughHeaders[${index}]`, message }]
  })
}

function describeFault(name: string): string | undefined {
  if (name === '') return 'header name must not be empty'
  if (name.length > 256) return 'invalid header name: it has more than 256 characters'
  if (!token.test(name)) return `invalid header name "${name}": expected letters, digits and any of !#$%&'*+-.^_\`|~`
  if (!restricted.has(name.toLowerCase())) return undefined
  return `"${canonical(name)}" is a restricted header and cannot be forwarded`
}

/** As it is written in prose: `x-real-ip` as `X-Real-Ip`. */
function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
}

/** Makes the picker of an allow-list. Throws `InvalidConfig` with every name that may not be on it. */
export function createHeaderPicker(allowed: readonly string[]): PickHeaders {
  const problems = passthroughHeaderProblems(allowed)
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
