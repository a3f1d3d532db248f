import { Connection } from './connection.mjs'

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
let nextId = 1

/** One MCP client on one connection: opens a session in 2025, sends the envelope with each request in 2026. */
export class LoadClient {
  #connection
  #port
  #era
  #session = ''

  static async open(port, era) {
    const client = new LoadClient()
    client.#era = era
    client.#port = port
    client.#connection = await Connection.open(port)
    // In 2026 nothing has to be said first, but a server may close a connection on which nothing is said.
    if (era === '2025') await client.#initialize()
    else await client.#request('server/discover', {})
    return client
  }

  /** Calls the tool with a text of its own, and checks that this very text came back. */
  async call(tool) {
    const text = `t${(nextId += 1)}-${'p'.repeat(32)}`
    const body = await this.#request('tools/call', { name: tool, arguments: { text } }, tool)
    if (!body.includes(text) || body.includes('"isError":true')) throw new Error(`bad reply: ${body.slice(0, 200)}`)
  }

  /** Lists the tools, and checks how many came. */
  async list(expected) {
    const body = await this.#request('tools/list', {})
    const got = body.split('"inputSchema"').length - 1
    if (got !== expected) throw new Error(`${got} tools instead of ${expected}`)
  }

  /** Calls a tool that does not exist, and checks that it is refused. */
  async callMissing() {
    const body = await this.#request('tools/call', { name: 'no_such_tool', arguments: {} }, 'no_such_tool')
    if (!body.includes('"error"')) throw new Error(`not refused: ${body.slice(0, 200)}`)
  }

  /** Ends the session, if there is one. */
  async end() {
    if (this.#session !== '') await this.#connection.delete(this.#session)
  }

  close() {
    this.#connection.close()
  }

  async #initialize() {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'load', version: '1' } }
    const reply = await this.#connection.post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }))
    const session = /mcp-session-id: *(\S+)/.exec(reply.head)?.[1]
    this.#session = session === undefined ? '' : `mcp-session-id: ${session}\r\nmcp-protocol-version: 2025-11-25\r\n`
    await this.#connection.post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), this.#session)
  }

  async #request(method, params, name) {
    const id = (nextId += 1)
    const isModern = this.#era === '2026'
    const message = { jsonrpc: '2.0', id, method, params: isModern ? { ...params, _meta: modernMeta } : params }
    const headers = isModern
      ? `mcp-protocol-version: 2026-07-28\r\nmcp-method: ${method}\r\n${name === undefined ? '' : `mcp-name: ${name}\r\n`}`
      : this.#session
    const { status, head, body } = await this.#connection.post(JSON.stringify(message), headers)
    if (head.includes('\r\nconnection: close')) {
      this.#connection.close()
      this.#connection = await Connection.open(this.#port)
    }
    if ((status !== 200 && status !== 400) || !body.includes(`"id":${id}`))
      throw new Error(`${status}: ${body.slice(0, 200)}`)
    return body
  }
}

/** Closed loop: each client has one request in flight, for `seconds`. Gives latencies in milliseconds and the rate. */
export async function closedLoop(clients, act, seconds) {
  const latencies = []
  const until = performance.now() + seconds * 1_000
  const began = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const started = performance.now()
        await act(client)
        latencies.push(performance.now() - started)
      }
    }),
  )
  return { latencies, rate: (latencies.length / (performance.now() - began)) * 1_000 }
}

/** Open loop: `rate` requests a second, spread over the clients; latency counts from the instant one was due. */
export async function openLoop(clients, act, { rate, seconds }) {
  const latencies = []
  const free = [...clients]
  const due = []
  const running = new Set()
  const began = performance.now()
  const total = rate * seconds
  const dispatch = () => {
    while (free.length > 0 && due.length > 0) {
      const client = free.pop()
      const scheduled = due.shift()
      const done = act(client).then(() => {
        latencies.push(performance.now() - scheduled)
        free.push(client)
        running.delete(done)
        dispatch()
      })
      running.add(done)
    }
  }
  for (let sent = 0; sent < total;) {
    const now = performance.now()
    for (; sent < total && began + (sent / rate) * 1_000 <= now; sent += 1) due.push(began + (sent / rate) * 1_000)
    dispatch()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  while (running.size > 0 || due.length > 0) {
    await Promise.race(running)
    dispatch()
  }
  return { latencies, rate }
}
