import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isLoopbackAddress, isLoopbackName } from './loopback.js'
import type { Refusal } from './refusal.js'
import { invalidRequest } from './refusal.js'
import { rememberLast } from './remember-last.js'

/** A question about a request's head. `undefined` lets it pass. */
export type Guard = (request: IncomingMessage) => Refusal | undefined

/** Whom a server answers. */
export interface GuardConfig {
  /** The address it listens on. */
  readonly host: string
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowedOrigins?: readonly string[] | undefined
}

/**
 * Makes the guard against foreign web pages (DNS rebinding, MCP "Streamable HTTP" security): the `Host` name and, when a
 * browser sends one, the `Origin` have to be in their exact lists.
 */
export function createSiteGuard({ host, allowedHosts, allowedOrigins }: GuardConfig): Guard {
  const hosts = allowedHosts && new Set(allowedHosts.map((name) => name.toLowerCase()))
  const origins = allowedOrigins && new Set(allowedOrigins.map((origin) => origin.toLowerCase()))
  const onLoopback = isLoopbackAddress(host)
  const admitsHost = (name: string) => {
    if (hosts !== undefined) return hosts.has(name)
    return !onLoopback || isLoopbackName(name) || name === host.toLowerCase()
  }
  const admitsOrigin = (origin: string) => (origins === undefined ? isLoopbackOrigin(origin) : origins.has(origin))

  const isAllowedHost = rememberLast((sent) => {
    const name = hostName(sent)
    return name !== undefined && admitsHost(name)
  })
  const isAllowedOrigin = rememberLast((origin) => admitsOrigin(origin.toLowerCase()))

  return ({ headers }) => {
    if (!isAllowedHost(headers.host ?? '')) return forbidden('Host')
    const { origin } = headers
    return origin === undefined || isAllowedOrigin(origin) ? undefined : forbidden('Origin')
  }
}

/** Refuses a POST that is not JSON, or whose client would take neither form of answer. */
export const guardPost: Guard = ({ headers }) => {
  if (!isJson(headers['content-type'] ?? '')) return unsupported('Content-Type must be application/json')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return unsupported('Content-Encoding is not supported')
  const { accept } = headers
  if (accept === undefined || takesJson(accept)) return undefined
  return notAcceptable('application/json and text/event-stream')
}

/** Refuses a GET whose client takes no event stream: it has to say so. */
export const guardGet: Guard = ({ headers: { accept } }) =>
  accept !== undefined && namesStream(accept) ? undefined : notAcceptable('text/event-stream')

/** True when the client takes an event stream as an answer. Without an `Accept` header it takes anything. */
export function acceptsStream({ accept }: IncomingHttpHeaders): boolean {
  return accept === undefined || takesStream(accept)
}

const isJson = rememberLast((type) => essence(type) === 'application/json')
const takesJson = rememberLast((accept) => admits(accept, ['application/json', 'application/*', '*/*']))
const takesStream = rememberLast((accept) => admits(accept, ['text/event-stream', 'text/*', '*/*']))
const namesStream = rememberLast((accept) => admits(accept, ['text/event-stream']))

/** True when an `Accept` header has one of the ranges. */
function admits(accept: string, ranges: readonly string[]): boolean {
  return accept.split(',').some((part) => ranges.includes(essence(part)))
}

/** A media type or range without its parameters. */
function essence(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The name in a `Host` header: without its port, and `undefined` for anything that is not a plain name. */
function hostName(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1]
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === origin && isLoopbackName(url.hostname)
}

function forbidden(header: 'Host' | 'Origin'): Refusal {
  return { status: 403, code: invalidRequest, message: `Forbidden: this ${header} is not allowed` }
}

function unsupported(detail: string): Refusal {
  return { status: 415, code: invalidRequest, message: `Unsupported Media Type: ${detail}` }
}

function notAcceptable(types: string): Refusal {
  const message = `Not Acceptable: the client must accept ${types}`
  return { status: 406, code: invalidRequest, message, id: 'server-error' }
}
