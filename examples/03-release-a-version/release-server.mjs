// An MCP server without any library: one JSON-RPC message a line, in on stdin, out on stdout.
import { createInterface } from 'node:readline'

const packages = [{ name: 'core' }, { name: 'cli' }, { name: 'legacy-plugin' }]
let testRuns = 0

/** Each tool: what its arguments are, and what it answers. A tool that throws has failed, and says why. */
const tools = {
  changes: {
    description: 'Lists the packages that changed since the last version',
    properties: {},
    answer: () => ({ count: 7, packages }),
  },
  run_tests: {
    description: 'Runs the tests, of which one fails the first time',
    properties: {},
    answer: () => {
      testRuns += 1
      if (testRuns === 1) throw new Error('test "reconnects" failed')
      return { passed: 214 }
    },
  },
  publish: {
    description: 'Publishes a package',
    properties: { name: { type: 'string' }, version: { type: 'string' }, channel: { type: 'string' } },
    answer: ({ name, version, channel }) => {
      if (name === 'legacy-plugin') throw new Error(`${name}: you may not publish this package`)
      return { published: `${name}@${version}`, channel }
    },
  },
  announce: {
    description: 'Posts a message to a chat that is down today',
    properties: { text: { type: 'string' } },
    answer: () => {
      throw new Error('the chat is down')
    },
  },
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'release', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, { description, properties }]) => ({
      name,
      description,
      inputSchema: { type: 'object', properties },
    })),
  }),
  'tools/call': ({ name, arguments: input = {} }) => {
    try {
      const result = tools[name].answer(input)
      return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
    } catch (error) {
      return { content: [{ type: 'text', text: error.message }], isError: true }
    }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) continue
  const answer = methods[method]
    ? { result: methods[method](params) }
    : { error: { code: -32601, message: `Method not found: ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
}
