// A fixture MCP server over stdio.
// Arguments: `--sdk=v1|v2|none` (`none` starts fastest), `--era=2025|2026|both` (v2 only).
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const flags = new Map(process.argv.slice(2).map((argument) => argument.replace(/^--/, '').split('=')))
const sdk = flags.get('sdk') ?? 'v2'
const era = flags.get('era') ?? '2025'

const names = ['echo', 'env', 'cwd', 'hang', 'crash', 'noise', 'big', 'flood', 'progress', 'grandchild', 'pid', 'ask']
const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }))
const form = { type: 'object', properties: { name: { type: 'string' } } }
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })

async function answer(method, params, { notify, ask }) {
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') throw Object.assign(new Error('Method not found'), { code: -32601 })
  const input = params.arguments ?? {}
  switch (params.name) {
    case 'echo':
      return text(input.text)
    case 'env':
      return text(JSON.stringify(process.env))
    case 'cwd':
      return text(process.cwd())
    case 'pid':
      return text(process.pid)
    case 'hang':
      return new Promise(() => {})
    case 'crash':
      process.stderr.write('about to crash\n')
      return process.exit(3)
    case 'noise':
      process.stdout.write('this is not JSON\n{"half":\n')
      process.stderr.write('a line on stderr\n')
      return text('done')
    case 'big':
      return text('x'.repeat(input.size))
    case 'flood':
      process.stdout.write(`${'y'.repeat(input.size)}\n`)
      return text('after the flood')
    case 'progress':
      for (const progress of [1, 2, 3]) {
        await notify('notifications/progress', { progressToken: params._meta?.progressToken, progress, total: 3 })
      }
      return text('done')
    case 'ask':
      return text(JSON.stringify(await ask('elicitation/create', { message: 'Who?', requestedSchema: form })))
    case 'grandchild':
      return text(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid)
    default:
      throw Object.assign(new Error('Unknown tool'), { code: -32602 })
  }
}

function build(Server) {
  const serverInfo = { name: `stdio-${sdk}`, version: '1.0.0' }
  const built = new Server(serverInfo, { capabilities: { tools: { listChanged: true } } })
  const raw = { '~standard': { version: 1, vendor: 'fixture', validate: (value) => ({ value }) } }
  built.fallbackRequestHandler = ({ method, params }, { mcpReq, sendNotification, sendRequest }) =>
    answer(
      method,
      { ...params },
      {
        notify: (told, about) =>
          mcpReq === undefined
            ? sendNotification({ method: told, params: about })
            : mcpReq.notify({ method: told, params: about }),
        ask: async (asked, about) =>
          mcpReq === undefined
            ? sendRequest({ method: asked, params: about }, (await import('zod')).looseObject({}))
            : mcpReq.send({ method: asked, params: about }, raw),
      },
    )
  return built
}

function serveWithoutSdk() {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const waiting = new Map()
  const context = {
    notify: async (method, params) => send({ method, params }),
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        const id = `q${waiting.size}`
        waiting.set(id, { resolve, reject })
        send({ id, method, params })
      }),
  }
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params = {}, result, error } = JSON.parse(line)
    if (method === undefined) {
      if (error === undefined) waiting.get(id)?.resolve(result)
      else waiting.get(id)?.reject(Object.assign(new Error(error.message), { code: error.code }))
    } else if (id !== undefined) {
      try {
        send({ id, result: method === 'initialize' ? greeting(params) : await answer(method, params, context) })
      } catch (failure) {
        send({ id, error: { code: failure.code ?? -32603, message: failure.message } })
      }
    }
  })
}

function greeting({ protocolVersion }) {
  const serverInfo = { name: 'stdio-none', version: '1.0.0' }
  return { protocolVersion, serverInfo, capabilities: { tools: { listChanged: true } } }
}

if (sdk === 'none') {
  serveWithoutSdk()
} else if (sdk === 'v1') {
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js')
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  await build(Server).connect(new StdioServerTransport())
} else {
  const { Server } = await import('@modelcontextprotocol/server')
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  if (era === '2025') await build(Server).connect(new StdioServerTransport())
  else await serveStdio(() => build(Server), era === '2026' ? { legacy: 'reject' } : {})
}
