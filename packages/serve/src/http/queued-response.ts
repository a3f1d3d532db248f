import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Closes a response with its connection while it waits behind another one there (HTTP pipelining). Node closes by itself
 * only the response whose turn it is; nobody would hear that the client of the others is gone.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return
  const close = () => {
    if (response.socket !== null) return
    response.destroy()
    response.emit('close')
  }
  socket.once('close', close)
  response.once('close', () => socket.off('close', close))
}
