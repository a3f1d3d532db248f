// An MCP echo server without an SDK: the backend behind every system that the wire benchmark compares.
// Environment: PORT, COUNT (servers on successive ports), TOOLS (for each), PADDING (bytes added to each answer).
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

const firstPort = Number(process.env.PORT)
const count = Number(process.env.COUNT ?? 1)
const toolCount = Number(process.env.TOOLS ?? 10)
const padding = 'x'.repeat(Number(process.env.PADDING ?? 0))
const modern = '2026-07-28'

for (let index = 0; index < count; index += 1) startServer(firstPort + index)

function startServer(port) {
  const tools = Array.from({ length: toolCount }, (_, index) => describeTool(index === 0 ? 'echo' : `echo_${index}`))
  createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => answer(JSON.parse(body), response, tools))
  }).listen(port, '127.0.0.1')
}

function answer(message, response, tools) {
  if (message.id === undefined) return void response.writeHead(202).end()
  const isModern = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] === modern
  const send = (result, headers) => {
    const envelope = isModern ? { resultType: 'complete', ...result } : result
    reply(response, { jsonrpc: '2.0', id: message.id, result: envelope }, headers)
  }
  switch (message.method) {
    case 'tools/call':
      return send({ content: [{ type: 'text', text: `${message.params.arguments?.text ?? ''}${padding}` }] })
    case 'tools/list':
      return send({ tools, ...(isModern && { ttlMs: 0, cacheScope: 'private' }) })
    case 'initialize':
      return send(
        { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } },
        { 'mcp-session-id': randomUUID() },
      )
    case 'server/discover':
      if (process.env.ERA !== modern) break
      return send({
        supportedVersions: [modern],
        capabilities: { tools: {} },
        serverInfo: { name: 'echo', version: '1' },
        ttlMs: 0,
        cacheScope: 'private',
      })
    case 'ping':
      return send({})
  }
  reply(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } })
}

function reply(response, message, headers) {
  const body = JSON.stringify(message)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

function describeTool(name) {
  return {
    name,
    title: `Tool ${name}`,
    description: `Echo tool ${name}. Answers with the text it was given, so that only the way to it and back takes time.`,
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'Text to echo' },
        limit: { type: 'integer', minimum: 0, maximum: 1000, description: 'Not used' },
        mode: { type: 'string', enum: ['fast', 'slow'], description: 'Not used' },
      },
      required: ['text'],
    },
    annotations: { readOnlyHint: true },
  }
}
