import type { ServerResponse } from 'node:http'
import type { JsonText } from '@vmcp/sdk-adapter'

/** An answer that this edge gives without asking anyone. */
export interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
  /** The id to name, for the refusals that have a fixed one. */
  readonly id?: string
}

/** The JSON-RPC codes of this edge. */
export const parseError = -32700
export const invalidRequest = -32600
export const internalError = -32603

/** Sends a refusal as a JSON-RPC error. The request was not read, so no id is known. */
export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  sendJson(response, refusal.status, refusalText(refusal), refusal.headers)
}

/** Sends a refusal without ending the response, so that the connection stays for now. */
export function startRefusal(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return
  const text = refusalText(refusal)
  writeJsonHead(response, refusal.status, { bytes: Buffer.byteLength(text), headers: refusal.headers })
  response.write(text)
}

function refusalText({ code, message, id }: Refusal): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } })
}

/** Sends a JSON text with its length. A response that is under way is left alone. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: JsonText,
  headers?: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return
  if (typeof text === 'string') {
    writeJsonHead(response, status, { bytes: Buffer.byteLength(text), headers })
    response.end(text)
    return
  }
  const bytes = text.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  writeJsonHead(response, status, { bytes, headers })
  if (text.length > 1) response.cork()
  for (const part of text.slice(0, -1)) response.write(part)
  response.end(text.at(-1))
}

function writeJsonHead(
  response: ServerResponse,
  status: number,
  { bytes, headers }: { readonly bytes: number; readonly headers: Readonly<Record<string, string>> | undefined },
): void {
  const head = ['content-type', 'application/json', 'content-length', String(bytes)]
  for (const name in headers) head.push(name, headers[name] ?? '')
  response.writeHead(status, head)
}
