import { text, type Backend, type BackendClient, type Tool } from '@vmcp/domain'

/** A help desk and a reporting service that live in this process. A backend is any object with these methods. */
export const backends: readonly Backend[] = [
  { id: 'desk', client: service({ open: 'Opens a ticket', search: 'Finds tickets' }) },
  { id: 'reports', client: service({ export: 'Exports every ticket' }) },
]

function service(tools: Readonly<Record<string, string>>): BackendClient {
  const items = Object.entries(tools).map(([name, description]): Tool => {
    return { name, description, inputSchema: { type: 'object' } }
  })
  return {
    describe: async () => ({ capabilities: { tools: {} } }),
    listTools: async () => ({ items }),
    callTool: async (identity, { name }) => ({ content: [text(`${name} done for ${identity?.subject}`)] }),
    close: async () => {},
  }
}
