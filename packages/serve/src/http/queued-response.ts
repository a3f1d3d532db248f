import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The responses that wait behind another one on their connection. */
const queued = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Closes a response with its connection while it waits behind another one there (HTTP pipelining). Node closes by itself
 * only the response whose turn it is; nobody would hear that the client of the others is gone.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return
  const waiting = queued.get(socket) ?? watch(socket)
  waiting.add(response)
  response.once('close', () => waiting.delete(response))
}

/** One listener for each connection, however many requests are sent ahead on it. */
function watch(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>()
  queued.set(socket, waiting)
  socket.once('close', () => {
    for (const response of waiting) if (response.socket === null) close(response)
  })
  return waiting
}

function close(response: ServerResponse): void {
  response.destroy()
  response.emit('close')
}
