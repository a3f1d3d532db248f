import { WireFailure } from '../wire-failure.js'
import type { HttpHead } from './http-call.js'

/** True for the statuses by which a server refuses credentials. */
export function isAuthStatus(status: number): boolean {
  return status === 401 || status === 403 || status === 407
}

/** True for a status that carries an answer. */
export function isSuccess({ status }: HttpHead): boolean {
  return status >= 200 && status <= 299
}

/** Throws for a body we cannot read: no encoding was asked for. */
export function refuseEncoding(head: HttpHead): void {
  const encoding = head.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return
  throw new WireFailure({ kind: 'protocol', detail: 'the answer has an encoding that was not asked for' })
}

/** The text of a JSON body. Throws for a body of another kind. */
export function jsonText(head: HttpHead, text: string): string {
  const type = mediaType(head)
  if (type === 'application/json' || type.endsWith('+json') || (type === '' && text !== '')) return withoutMark(text)
  const detail = text === '' ? 'it answered nothing' : 'the answer is not JSON'
  throw new WireFailure({ kind: 'protocol', detail, violation: 'not-json-rpc' })
}

/** A byte order mark is not for senders, and a reader may ignore it (RFC 8259, section 8.1). */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function mediaType(head: HttpHead): string {
  const given: unknown = head.headers['content-type']
  // A header that is there twice comes as a list; a type that is there twice is no type.
  const type = typeof given === 'string' ? given : ''
  if (type === 'application/json') return type
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
}

/** True for an event stream. */
export function isEventStream(head: HttpHead): boolean {
  return mediaType(head) === 'text/event-stream'
}

/** The session id a server gave, if it is one. */
export function sessionOf(head: HttpHead): string | undefined {
  const id = head.headers['mcp-session-id']
  return typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) ? id : undefined
}
