import type { VMCP } from '@vmcp/domain'
import { NotFound } from '@vmcp/domain'

/** A `VMCP` that offers nothing, with `overrides` where a test needs something. */
export function fakeVmcp(overrides: Partial<VMCP> = {}): VMCP {
  return {
    listTools: async () => [],
    callTool: async (_identity, { name }) => Promise.reject(new NotFound('tool', name)),
    listResources: async () => [],
    listResourceTemplates: async () => [],
    readResource: async (_identity, { uri }) => Promise.reject(new NotFound('resource', uri)),
    listPrompts: async () => [],
    getPrompt: async (_identity, { name }) => Promise.reject(new NotFound('prompt', name)),
    complete: async () => ({ values: [] }),
    lookupTool: async (_identity, name) => Promise.reject(new NotFound('tool', name)),
    lookupResource: async (_identity, uri) => Promise.reject(new NotFound('resource', uri)),
    lookupPrompt: async (_identity, name) => Promise.reject(new NotFound('prompt', name)),
    close: async () => {},
    ...overrides,
  }
}
