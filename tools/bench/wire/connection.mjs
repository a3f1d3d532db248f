import { connect } from 'node:net'

/** One HTTP/1.1 keep-alive connection with one request at a time: no client library between the clock and the wire. */
export class Connection {
  #socket
  #buffer = Buffer.alloc(0)
  #waiting
  #host

  /** Opens a connection to a local port. */
  static open(port) {
    const connection = new Connection()
    connection.#host = `127.0.0.1:${port}`
    return new Promise((resolve, reject) => {
      connection.#socket = connect(port, '127.0.0.1', () => resolve(connection))
      connection.#socket.setNoDelay(true)
      connection.#socket.once('error', reject)
      connection.#socket.on('error', (error) => connection.#settle(error))
      connection.#socket.on('close', () => connection.#settle(new Error('the connection closed')))
      connection.#socket.on('data', (chunk) => connection.#receive(chunk))
    })
  }

  /** Posts a JSON text; resolves with status, headers (as text) and body. */
  post(body, headers = '') {
    return this.#send(
      `POST /mcp HTTP/1.1\r\nhost: ${this.#host}\r\ncontent-type: application/json\r\n` +
        `accept: application/json, text/event-stream\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }

  /** Sends a DELETE. */
  delete(headers) {
    return this.#send(`DELETE /mcp HTTP/1.1\r\nhost: ${this.#host}\r\n${headers}\r\n`)
  }

  close() {
    this.#socket.destroy()
  }

  #send(request) {
    if (this.#socket.destroyed) return Promise.reject(new Error('the connection was closed while it was idle'))
    this.#socket.write(request)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  #settle(error, reply) {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (error) waiting?.reject(error)
    else waiting?.resolve(reply)
  }

  #receive(chunk) {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
    const headEnd = this.#buffer.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.#buffer.latin1Slice(0, headEnd).toLowerCase()
    const body = /transfer-encoding: chunked/.test(head)
      ? readChunked(this.#buffer, headEnd + 4)
      : readSized(this.#buffer, headEnd + 4, Number(/content-length: *(\d+)/.exec(head)?.[1] ?? 0))
    if (body === undefined) return
    this.#buffer = this.#buffer.subarray(body.end)
    this.#settle(undefined, { status: Number(head.slice(9, 12)), head, body: body.text })
  }
}

function readSized(buffer, start, length) {
  return buffer.length < start + length
    ? undefined
    : { text: buffer.utf8Slice(start, start + length), end: start + length }
}

function readChunked(buffer, start) {
  const parts = []
  for (let at = start; ;) {
    const lineEnd = buffer.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(buffer.latin1Slice(at, lineEnd), 16)
    const end = lineEnd + 2 + length + 2
    if (buffer.length < end) return undefined
    if (length === 0) return { text: Buffer.concat(parts).toString(), end }
    parts.push(buffer.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = end
  }
}
