import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { findInexactNumber } from '@vmcp/sdk-adapter'
import { nestsDeeperThan } from './json-depth.js'
import type { Refusal } from './refusal.js'
import { invalidRequest, parseError } from './refusal.js'

/** What came of reading a body. */
export type ReadMessage =
  | { readonly outcome: 'read'; readonly message: unknown }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** The client left before it was complete. */
  | { readonly outcome: 'gone' }

/** How much a body may be. */
export interface BodyLimits {
  readonly bodyBytes: number
  readonly jsonDepth: number
}

/**
 * Reads a request's body once, parses it once and says once what came of it. What is too large is refused before it is kept
 * (413, and the connection closes); what is not JSON or nests too deep is a parse error; a batch is an invalid request, and
 * so is a number that would reach a backend as another one.
 */
export function readMessage(request: IncomingMessage, limits: BodyLimits, done: (read: ReadMessage) => void): void {
  if (request.destroyed) return done(gone)
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) return done(refused(tooLarge(limits)))
  collect(request, limits.bodyBytes, (body) => done(parse(body, limits)))
}

type Body = Buffer | 'too-large' | 'gone'

/** A request that fails closes as well, so that its end and its close are all there is to hear. */
function collect(request: IncomingMessage, limit: number, done: (body: Body) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  let isDone = false
  const end = (body: Body) => {
    if (isDone) return
    isDone = true
    done(body)
  }
  request.on('data', (chunk: Buffer) => {
    if (isDone) return
    bytes += chunk.length
    if (bytes <= limit) return chunks.push(chunk)
    request.pause()
    chunks.length = 0
    end('too-large')
  })
  request.on('end', () => end(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
  request.on('close', () => end('gone'))
}

function parse(body: Body, limits: BodyLimits): ReadMessage {
  if (body === 'gone') return gone
  if (body === 'too-large') return refused(tooLarge(limits))
  if (isBatch(body)) return refused(batch)
  if (!isUtf8(body)) return refused(notJson('it is not UTF-8'))
  if (nestsDeeperThan(body, limits.jsonDepth)) return refused(notJson(`it nests deeper than ${limits.jsonDepth}`))
  try {
    const text = body.toString('utf8')
    const message: unknown = JSON.parse(text)
    const inexact = findInexactNumber(text)
    return inexact === undefined ? { outcome: 'read', message } : refused(notKept(inexact))
  } catch {
    return refused(notJson('it is not JSON'))
  }
}

/** JSON's own white space before a `[`: the text need not be valid to be refused as a batch. */
function isBatch(body: Buffer): boolean {
  for (const byte of body) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue
    return byte === 0x5b
  }
  return false
}

const gone: ReadMessage = { outcome: 'gone' }

const batch: Refusal = {
  status: 400,
  code: invalidRequest,
  message: 'Invalid Request: batches are not supported (since revision 2025-06-18)',
}

function tooLarge({ bodyBytes }: BodyLimits): Refusal {
  const message = `Content Too Large: a body may have ${bodyBytes} bytes`
  return { status: 413, code: invalidRequest, message, headers: { connection: 'close' } }
}

function notJson(detail: string): Refusal {
  return { status: 400, code: parseError, message: `Parse error: ${detail}` }
}

function notKept(number: string): Refusal {
  const shown = number.length > 40 ? `${number.slice(0, 40)}…` : number
  const message = `Invalid Request: the number ${shown} cannot be passed on as it is; send it as a text`
  return { status: 400, code: invalidRequest, message }
}

function refused(refusal: Refusal): ReadMessage {
  return { outcome: 'refused', refusal }
}
