import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Lets web pages of allowed origins read answers (CORS, https://fetch.spec.whatwg.org). True when the request was only
 * the browser's question beforehand and is answered. The origin has been judged already.
 */
export type CrossOrigin = (request: IncomingMessage, response: ServerResponse) => boolean

const exposed = 'mcp-session-id, www-authenticate'
const methods = 'GET, POST, DELETE'
/** Seconds for which a browser need not ask again. */
const maxAge = '600'

/** Answers browsers once an operator has named origins; without a list no web page reads anything. */
export function createCrossOrigin(allowedOrigins: readonly string[] | undefined): CrossOrigin {
  if (allowedOrigins === undefined) return () => false
  return ({ method, headers }, response) => {
    const { origin } = headers
    if (origin === undefined) return false
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-expose-headers', exposed)
    response.setHeader('vary', 'origin')
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false
    const asked = headers['access-control-request-headers']
    response.writeHead(204, {
      'access-control-allow-methods': methods,
      'access-control-max-age': maxAge,
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    })
    response.end()
    return true
  }
}
