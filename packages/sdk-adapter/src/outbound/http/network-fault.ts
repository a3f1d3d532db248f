import type { WireFault } from '../wire-failure.js'

/** Names a socket error by its code. The detail tells an operator the cause and holds no address. */
export function networkFault(error: unknown, connectTimeoutMs: number, answering: boolean): WireFault {
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return { kind: 'connect-timeout', timeoutMs: connectTimeoutMs }
  }
  const detail = causes[code]
  if (detail !== undefined && !answering) return { kind: 'unreachable', detail }
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { kind: 'protocol', detail: 'the answer is not HTTP' }
  }
  if (isCertificateCode(code)) return { kind: 'unreachable', detail: 'its certificate is not trusted' }
  return { kind: 'closed', detail: answering ? 'the connection ended during the answer' : 'the connection was closed' }
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host name could not be resolved',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'address not available',
  EPROTO: 'TLS handshake failed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS handshake failed: the server speaks plain http',
}

function isCertificateCode(code: string): boolean {
  return (
    code.startsWith('CERT_') ||
    code.startsWith('ERR_TLS_CERT') ||
    code.includes('SELF_SIGNED') ||
    code.startsWith('UNABLE_TO_')
  )
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = (error as NodeJS.ErrnoException).code
  if (typeof code === 'string') return code
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return inner === undefined ? '' : codeOf(inner)
}
