import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from './refusal.js'
import { sendRefusal, startRefusal } from './refusal.js'

/** How long a client that is still sending is listened to after its refusal. */
const linger = { milliseconds: 500, bytes: 16 * 1024 * 1024 }

/**
 * Refuses a request for its body. The answer goes out at once. When the body has not arrived whole, what still comes is read
 * for a while and thrown away: a connection that closes under a sending client takes the answer with it.
 */
export function refuseBody(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (request.complete) return sendRefusal(response, refusal)
  startRefusal(response, refusal)
  let bytes = 0
  const timer = setTimeout(end, linger.milliseconds)
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > linger.bytes) end()
  })
  request.once('end', end)
  request.once('close', end)
  request.resume()

  function end(): void {
    clearTimeout(timer)
    if (!response.writableEnded) response.end()
  }
}
