import type { VMCP, VmcpAdmin, VmcpEvents } from '@vmcp/domain'

import { makeCore } from './core.js'
import type { CoreConfig } from './core-config.js'

/**
 * Makes the virtual MCP server of a configuration: its verbs, its administration and its events.
 * Everything is checked before anything starts; what is wrong is thrown at once, all of it, as `InvalidConfig`. Backends
 * are connected when they are first asked, or probed at once when `health` is configured.
 *
 * Subscribers hear nothing after `close`.
 */
export function createVMCP(config: CoreConfig): VMCP & VmcpAdmin & VmcpEvents {
  return makeCore(config)
}
