/** Backends in memory, for benchmarks that leave the wire out: `count` backends with `toolCount` tools each. */
export function memoryBackends(count, toolCount) {
  return Array.from({ length: count }, (_, backend) => ({
    id: `backend${backend}`,
    client: memoryBackend(toolCount),
  }))
}

function memoryBackend(toolCount) {
  const items = Array.from({ length: toolCount }, (_, index) => tool(index))
  const content = [{ type: 'text', text: 'ok' }]
  return {
    describe: async () => ({ capabilities: { tools: {} } }),
    listTools: async () => ({ items }),
    callTool: async () => ({ content }),
    close: async () => {},
  }
}

function tool(index) {
  return {
    name: `tool_${index}`,
    description: `Does the work number ${index} and answers with what came of it.`,
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What to work on' },
        count: { type: 'integer', minimum: 0, default: 1 },
        flags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
      },
      required: ['text'],
    },
    annotations: { readOnlyHint: index % 2 === 0 },
  }
}
