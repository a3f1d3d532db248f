import type { VMCP } from './vmcp.js'

/** A `VMCP` that answers with `overrides` where they have the verb, and with `inner` elsewhere: for decorators that watch. */
export function delegate(inner: VMCP, overrides: Partial<VMCP>): VMCP {
  return {
    listTools: (identity, options) => inner.listTools(identity, options),
    callTool: (identity, request, options) => inner.callTool(identity, request, options),
    listResources: (identity, options) => inner.listResources(identity, options),
    listResourceTemplates: (identity, options) => inner.listResourceTemplates(identity, options),
    readResource: (identity, request, options) => inner.readResource(identity, request, options),
    listPrompts: (identity, options) => inner.listPrompts(identity, options),
    getPrompt: (identity, request, options) => inner.getPrompt(identity, request, options),
    complete: (identity, request, options) => inner.complete(identity, request, options),
    lookupTool: (identity, name, options) => inner.lookupTool(identity, name, options),
    lookupResource: (identity, uri, options) => inner.lookupResource(identity, uri, options),
    lookupPrompt: (identity, name, options) => inner.lookupPrompt(identity, name, options),
    close: () => inner.close(),
    ...overrides,
  }
}
