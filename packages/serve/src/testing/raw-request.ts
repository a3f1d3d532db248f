import { connect } from 'node:net'

/** Sends bytes as they are on a new connection, and gives all that comes back until the server closes it. */
export function rawRequest(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      received += text
    })
    socket.on('error', () => resolve(received))
    socket.on('close', () => resolve(received))
    socket.write(bytes)
  })
}

/** The text of a POST whose connection closes after the answer. */
export function rawPost(headers: Readonly<Record<string, string>>, body = ''): string {
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
