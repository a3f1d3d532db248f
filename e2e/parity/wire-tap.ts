import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isEventStream, takeMessages } from './event-messages.js'

/** A way to an MCP server on which everything the server says can be read, byte for byte. */
export interface WireTap {
  readonly url: string
  /** The text of each JSON-RPC message that the server sent, in order. */
  readonly messages: readonly string[]
  close(): Promise<void>
}

/** Opens a tap in front of an MCP server over streamable HTTP. */
export async function tapWire(target: string): Promise<WireTap> {
  const messages: string[] = []
  const proxy = createServer((asked, answered) => {
    const upstream = request(target, { method: asked.method, headers: asked.headers }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.headers)
      listen(answer, (message) => messages.push(message))
      answer.pipe(answered)
    })
    upstream.on('error', () => answered.destroy())
    answered.on('close', () => upstream.destroy())
    asked.pipe(upstream)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    messages,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** Reads a document whole, and an event stream event by event. */
function listen(answer: IncomingMessage, hear: (message: string) => void): void {
  const isStream = isEventStream(answer.headers['content-type'])
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (!isStream) return
    const { messages, rest } = takeMessages(text)
    text = rest
    messages.forEach(hear)
  })
  answer.on('end', () => {
    if (!isStream && text !== '') hear(text)
  })
}

/** The bytes of one member of a message, as they were sent. */
export function memberText(message: string, member: string): string {
  const value: unknown = (JSON.parse(message) as Record<string, unknown>)[member]
  const text = JSON.stringify(value)
  if (!message.includes(`"${member}":${text}`)) throw new Error(`the bytes of ${member} cannot be told: ${message}`)
  return text
}
