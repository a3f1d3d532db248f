import assert from 'node:assert/strict'
import { createVMCP } from '@vmcp/core'
import { AuthorizationDenied, Identity, NotFound, text, type BackendClient } from '@vmcp/domain'

const policies = [
  // Everybody may read.
  `@id("read for all")
   permit(principal, action == Action::"call_tool", resource) when { resource has readOnlyHint && resource.readOnlyHint };`,
  // Who is on call may do everything, but drop nothing.
  `@id("on call")
   permit(principal in THVGroup::"oncall", action, resource);`,
  `@id("no drops")
   forbid(principal, action, resource == Tool::"db_drop");`,
]

const database: BackendClient = {
  describe: async () => ({ capabilities: { tools: {} } }),
  listTools: async () => ({
    items: [
      { name: 'query', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      { name: 'update', inputSchema: { type: 'object' } },
      { name: 'drop', inputSchema: { type: 'object' } },
    ],
  }),
  callTool: async (_identity, { name }) => ({ content: [text(`${name} done`)] }),
  close: async () => {},
}

const ada = caller('ada', ['oncall'])
const bob = caller('bob', [])

function caller(subject: string, groups: readonly string[]): Identity {
  return new Identity({ issuer: 'https://login.example', subject, claims: { sub: subject, groups } })
}

/** Asks three Cedar policies for two callers: lists, lookups and calls agree, and `explain` tells why. */
export async function run(): Promise<readonly string[]> {
  const vmcp = createVMCP({
    name: 'ops',
    backends: [{ id: 'db', client: database }],
    authorization: { type: 'cedar', policies },
  })
  const said: string[] = []
  try {
    for (const [identity, admitted] of [
      [ada, ['db_query', 'db_update']],
      [bob, ['db_query']],
    ] as const) {
      const listed = (await vmcp.listTools(identity)).map(({ name }) => name)
      assert.deepEqual(listed, admitted)
      said.push(`${identity.subject} sees ${listed.join(', ')}`)

      for (const name of ['db_query', 'db_update', 'db_drop']) {
        const lookup = vmcp.lookupTool(identity, name)
        const call = vmcp.callTool(identity, { name })
        if (listed.includes(name)) {
          await Promise.all([lookup, call])
        } else {
          await Promise.all([assert.rejects(lookup, NotFound), assert.rejects(call, AuthorizationDenied)])
        }
      }
    }
    // What is denied and what does not exist look alike.
    await assert.rejects(vmcp.callTool(bob, { name: 'db_missing' }), AuthorizationDenied)

    const { text: reason } = await vmcp.explain(ada, { kind: 'tool', name: 'db_drop' })
    return [...said, '', reason]
  } finally {
    await vmcp.close()
  }
}
