// A fixture MCP server over stdio. Arguments: `--sdk=v1|v2`, `--era=2025|2026|both` (v2 only).
import { spawn } from 'node:child_process'

const flags = new Map(process.argv.slice(2).map((argument) => argument.replace(/^--/, '').split('=')))
const sdk = flags.get('sdk') ?? 'v2'
const era = flags.get('era') ?? '2025'
const server =
  sdk === 'v1'
    ? await import('@modelcontextprotocol/sdk/server/index.js')
    : await import('@modelcontextprotocol/server')

const tools = ['echo', 'env', 'cwd', 'hang', 'crash', 'noise', 'big', 'flood', 'progress', 'grandchild', 'pid'].map(
  (name) => ({
    name,
    inputSchema: { type: 'object' },
  }),
)
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })

async function answer(request, notify) {
  const { method, params = {} } = request
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
      process.exit(3)
      return undefined
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
    case 'grandchild': {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      return text(child.pid)
    }
    default:
      throw Object.assign(new Error('Unknown tool'), { code: -32602 })
  }
}

function build() {
  const built = new server.Server(
    { name: `stdio-${sdk}`, version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  built.fallbackRequestHandler = (request, extra) =>
    answer(
      { method: request.method, params: { ...request.params } },
      (method, params) => extra.mcpReq?.notify({ method, params }) ?? extra.sendNotification({ method, params }),
    )
  return built
}

if (sdk === 'v1') {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  await build().connect(new StdioServerTransport())
} else {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  if (era === '2025') await build().connect(new StdioServerTransport())
  else await serveStdio(build, era === '2026' ? { legacy: 'reject' } : {})
}
