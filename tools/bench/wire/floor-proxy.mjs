// The least a Node gateway can do: parse, give the call a new id and name, forward through an undici pool, parse, answer.
// Environment: PORT, BACKEND (port).
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Pool } from 'undici'

const pool = new Pool(`http://127.0.0.1:${process.env.BACKEND}`, { connections: 64 })
let nextId = 0

createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => forward(JSON.parse(body), response))
}).listen(Number(process.env.PORT), '127.0.0.1')

function forward(message, response) {
  if (message.id === undefined) return void response.writeHead(202).end()
  const id = (nextId += 1)
  const name = message.params?.name
  const params = name === undefined ? message.params : { ...message.params, name: name.slice(name.indexOf('_') + 1) }
  const chunks = []
  pool.dispatch(
    {
      path: '/mcp',
      method: 'POST',
      headers: ['content-type', 'application/json', 'accept', 'application/json, text/event-stream'],
      body: JSON.stringify({ ...message, id, params }),
    },
    {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        const answer = { ...JSON.parse(Buffer.concat(chunks).toString()), id: message.id }
        const body = JSON.stringify(answer)
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...(message.method === 'initialize' && { 'mcp-session-id': randomUUID() }),
        })
        response.end(body)
      },
      onResponseError: () => void response.writeHead(502).end(),
    },
  )
}
