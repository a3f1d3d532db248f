import { createHash } from 'node:crypto'
import type { ConfigProblem, OutgoingAuth } from '@vmcp/domain'
import { InvalidConfig, Secret } from '@vmcp/domain'

/** One header with a fixed value, the same for every caller. */
export interface HeaderInjectionOptions {
  /** A header name: an RFC 9110 token of at most 256 bytes. */
  readonly headerName: string
  /** At most 8192 bytes, no control characters. Given as text, it is wrapped at once. */
  readonly headerValue: Secret | string
}

const longestName = 256
const longestValue = 8192
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const controlCharacter = /[\u0000-\u001f\u007f]/

/**
 * Sends one fixed header, such as an API key, in place of any the request has.
 * Throws `InvalidConfig` for a name or value that HTTP would not carry; the value is never in the message.
 */
export function headerInjection({ headerName, headerValue }: HeaderInjectionOptions): OutgoingAuth {
  const secret = typeof headerValue === 'string' ? new Secret(headerValue) : headerValue
  const problems = [...nameProblems(headerName), ...valueProblems(secret.reveal())]
  if (problems.length > 0) throw new InvalidConfig(problems)
  const digest = createHash('sha256').update(`${headerName.toLowerCase()}\0${secret.reveal()}`).digest('hex')
  const key = `header_injection:${digest}`
  const headers = () => ({ [headerName]: secret.reveal() })
  return {
    type: 'header_injection',
    credentialKey: () => key,
    fixedHeaders: headers,
    headers: async () => headers(),
  }
}

function nameProblems(name: string): readonly ConfigProblem[] {
  if (name === '') return [{ path: 'headerName', message: 'is required' }]
  if (Buffer.byteLength(name) > longestName) {
    return [{ path: 'headerName', message: `must have at most ${longestName} bytes` }]
  }
  return token.test(name) ? [] : [{ path: 'headerName', message: 'must be a header name (RFC 9110 token)' }]
}

function valueProblems(value: string): readonly ConfigProblem[] {
  if (value === '') return [{ path: 'headerValue', message: 'is required' }]
  if (Buffer.byteLength(value) > longestValue) {
    return [{ path: 'headerValue', message: `must have at most ${longestValue} bytes` }]
  }
  return controlCharacter.test(value) ? [{ path: 'headerValue', message: 'must not contain control characters' }] : []
}
