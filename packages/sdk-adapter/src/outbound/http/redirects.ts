import { WireFailure } from '../wire-failure.js'
import type { HttpHead, HttpRequest } from './http-call.js'

/** True for a status that leads elsewhere. */
export function isRedirect(status: number): boolean {
  return status === 307 || status === 308 || (status >= 301 && status <= 303)
}

/**
 * The path a redirect leads to. Throws for another scheme, host or port and where the method would change, so that
 * credentials cannot leak.
 */
export function redirectPath(request: HttpRequest, from: URL, head: HttpHead): string {
  const location: unknown = head.headers.location
  const target = typeof location === 'string' ? URL.parse(location, from.href) : null
  if (target === null || target.origin !== from.origin || !keepsMethod(request, head)) {
    throw new WireFailure({ kind: 'protocol', detail: `redirect refused (HTTP ${head.status})` })
  }
  return target.pathname + target.search
}

function keepsMethod({ method }: HttpRequest, { status }: HttpHead): boolean {
  return method === 'GET' || status === 307 || status === 308
}
